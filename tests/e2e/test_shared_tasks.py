"""Servers and workers of one database, killed in mid-flight: no acknowledged task is lost, each is finished once.

A search meanwhile finds every document in its present text, or says that it may not.
"""

import os
import random
import time
from pathlib import Path

import psycopg
import pytest

from support.replica_searches import Searches
from support.replicas import Clients, Replica, Report, check_all, document, post, replicas
from support.waiting import pause, wait_for

SECONDS = float(os.environ.get("PINCITE_CHAOS_SECONDS", "600"))
"""For how long replicas are killed in the long test."""


MIN_KILLS = 3


def is_running(dsn: str) -> bool:
    """Whether a worker works on a task."""
    with psycopg.connect(dsn) as connection:
        return bool(connection.execute("SELECT 1 FROM pincite_tasks.task WHERE status = 'running'").fetchall())


@pytest.mark.slow
def test_what_one_server_took_the_other_answers_for_after_kills(tmp_path: Path, postgres_database: str) -> None:
    with replicas(tmp_path, postgres_database, servers=2, workers=2) as started:
        (one, other), worker, report = started[:2], started[2], Report()
        with one.client() as client:
            for number in range(1, 13):
                report.acknowledged[post(client, number)] = number
        assert wait_for(lambda: is_running(postgres_database), 60)
        worker.kill()
        one.kill()
        with other.client() as client:
            for number in range(13, 16):
                report.acknowledged[post(client, number)] = number
            first = next(iter(report.acknowledged))
            assert client.get(f"/tasks/{first}/document").content == document(1), "of a server that is gone"
        check_all([other], report, Clients([other], report, seed=1))
        one.start()
        with one.client() as client, other.client() as asked:
            assert client.delete(f"/tasks/{first}").status_code == 204
            for path in ("", "/result", "/document"):
                assert asked.get(f"/tasks/{first}{path}").status_code == 404
            assert asked.get("/tasks").json()["total"] == 14
        assert not [*tmp_path.glob("server*/data/uploads/*/*/original*")], "copies are deleted after use"


@pytest.mark.slow
def test_tasks_go_on_after_every_connection_was_ended(tmp_path: Path, postgres_database: str) -> None:
    with replicas(tmp_path, postgres_database, servers=2, workers=1) as started:
        servers, report = started[:2], Report()
        with Clients(servers, report, seed=2) as clients:
            for _ in range(3):
                pause(1, "tasks are worked on")
                with psycopg.connect(postgres_database, autocommit=True) as administrator:
                    administrator.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE pid <> pg_backend_pid() AND datname = current_database()"
                    )
            assert wait_for(lambda: len(report.finished) > 0, 60)
        check_all(servers, report, clients)


def kill_some(started: list[Replica], report: Report, seconds: float, seed: random.Random) -> None:
    """Kill one replica every few seconds, three at least, and start it again."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline or len(report.kills) < MIN_KILLS:
        pause(seed.uniform(0.5, 3), "tasks are worked on")
        victim = seed.choice(started)
        report.kills.append(victim.name)
        victim.kill()
        pause(seed.uniform(0, 1), "a server is away")
        victim.start()


@pytest.mark.parametrize(
    ("seconds", "servers"),
    [pytest.param(8.0, 2, marks=pytest.mark.slow), pytest.param(SECONDS, 4, marks=pytest.mark.long)],
)
@pytest.mark.timeout(3600)
def test_killed_replicas_lose_no_task_and_no_answer(
    seconds: float, servers: int, tmp_path: Path, postgres_database: str
) -> None:
    seed = random.Random(24)  # noqa: S311 - repeatable
    with replicas(tmp_path, postgres_database, servers=servers, workers=2) as started:
        report = Report()
        searches = Searches(started[:servers], tmp_path / "docs", report, seed=4)
        with Clients(started[:servers], report, seed=3) as clients, searches:
            kill_some(started, report, seconds, seed)
        check_all(started[:servers], report, clients)
        for server in started[:servers]:
            assert wait_for(lambda server=server: searches.search(server), 60), "it catches up"
        assert report.wrong == []
    with psycopg.connect(postgres_database) as connection:
        rows = connection.execute("SELECT status, count(*), max(attempts), sum(attempts) FROM pincite_tasks.task"
                                  " GROUP BY status").fetchall()  # fmt: skip
    print(f"{len(report.kills)} kills, {len(report.acknowledged)} tasks, {report.refused} requests refused: {rows}")  # noqa: T201 - the figures of a long run
    print(f"{report.searches} searches, {report.stale} said stale, {report.unanswered} without an answer")  # noqa: T201 - as above
    assert report.acknowledged and report.searches > report.stale
