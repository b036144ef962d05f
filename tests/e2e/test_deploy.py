"""The image and the compose file, without Docker: both are read, and what they start is started as they say.

As another user, with a root file system that cannot be written, under the service's name. What is not tried: that the
image builds from its base image, and Docker's own part (volumes, ports, restarts).
"""

import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from support import dockerfile
from support.waiting import wait_for
from support.wire import as_nobody

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="containers are Linux's")

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
BUILD, RUN = dockerfile.stages(DEPLOY / "Dockerfile")
NAME = "pincite"
SERVICE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"][NAME]
SECONDS = 60.0
PROBE_SECONDS = 0.1
OTHERS_MAY_RUN_IT = all(folder.stat().st_mode & 0o001 for folder in Path(sys.executable).resolve().parents)
"""Whether another user may start a second interpreter, as every format but Markdown and text needs."""


def interpolated(value: str, variables: Mapping[str, str]) -> str:
    """A value of the compose file, as these variables make it; `:?` is not for a value that is set."""
    return re.sub(r"\$\{(\w+)(?::([-?])([^}]*))?\}", lambda m: variables.get(m[1]) or (m[3] or ""), value)


# The files


def test_the_image_is_small_in_rights() -> None:
    assert dockerfile.one(RUN, "USER").rest == "10001:10001"
    assert [name for name in dockerfile.environment(RUN) if "KEY" in name or "INSECURE" in name] == []
    assert dockerfile.one(RUN, "ENTRYPOINT").command == ["pincite", "serve", "/docs", "--transport", "http"]
    assert dockerfile.one(RUN, "EXPOSE").rest == dockerfile.environment(RUN)["PORT"]


def test_what_is_copied_is_there_and_is_sent_to_the_builder() -> None:
    allowed = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in allowed
    for source in dockerfile.copied(BUILD):
        assert (ROOT / source).exists()
        assert f"!{source}" in allowed
    assert dockerfile.copied(RUN) == []


def test_packages_are_installed_by_their_hashes_alone() -> None:
    installs = [line for line in BUILD if "pip install" in line.rest]
    assert all("--require-hashes" in line.rest or "--no-deps --no-build-isolation ." in line.rest for line in installs)


def test_the_service_is_published_on_this_machine_alone_and_can_write_nowhere_but_its_data() -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICE["ports"])
    assert SERVICE["read_only"] is True and SERVICE["cap_drop"] == ["ALL"]
    writable = [volume for volume in SERVICE["volumes"] if not volume.endswith(":ro")]
    assert writable == ["data:/data"] and SERVICE["tmpfs"] == ["/tmp"]  # noqa: S108 - of the container
    assert dockerfile.one(RUN, "VOLUME").rest == "/data"
    assert NAME in SERVICE["environment"]["PINCITE_ALLOWED_HOSTS"].split(",")


def test_every_image_of_others_is_named_by_its_digest() -> None:
    bases = [line for file in DEPLOY.glob("*Dockerfile") for line in file.read_text(encoding="utf-8").splitlines()]
    images = [line.removeprefix("ARG PYTHON=") for line in bases if line.startswith("ARG PYTHON=")]
    for file in (ROOT / "compose.yaml", *DEPLOY.glob("*.yaml")):
        services = yaml.safe_load(file.read_text(encoding="utf-8"))["services"].values()
        images += [service["image"] for service in services if "build" not in service]
    assert len(images) == 5
    assert [image for image in images if not re.fullmatch(r"\S+@sha256:[0-9a-f]{64}", image)] == []


def test_the_image_is_built_from_the_checkout() -> None:
    assert (DEPLOY / SERVICE["build"]["context"]).resolve() == ROOT
    assert (ROOT / SERVICE["build"]["dockerfile"]).is_file()


# What they start


class Container:
    """A process under the conditions of the container.

    Attributes:
        port: Where it listens.
        data: The only folder that it may write to, beside its temporary files.
    """

    def __init__(self, place: Path, **variables: str) -> None:
        self.port = _free_port()
        self.data = place / "data"
        temporary = place / "tmp"
        self.paths = {"/docs": str(place / "docs"), "/data": str(self.data), "/opt/model": str(place / "model")}
        self.env = {
            "PATH": os.environ["PATH"],
            "TMPDIR": str(temporary),
            "EMBEDDING_PROVIDER": "hash",
            "MCP_RATE_LIMIT_RPM": "0",
            **{name: self._here(value) for name, value in dockerfile.environment(RUN).items() if name != "PATH"},
            **variables,
            "PORT": str(self.port),
        }
        self._writable = [self.data, temporary]
        self._nobody = as_nobody()
        self.process = self.start(dockerfile.one(RUN, "ENTRYPOINT").command)

    def start(self, command: list[str]) -> subprocess.Popen[str]:
        """Start a command in it."""
        program = {"pincite": [sys.executable, "-m", "pincite"], "python": [sys.executable]}[command[0]]
        line = shlex.join([*self._nobody, *program, *map(self._here, command[1:])])
        binds = " && ".join(f"mount --bind {shlex.quote(str(f))} {shlex.quote(str(f))}" for f in self._writable)
        sealed = f"mount --make-rprivate / && {binds} && mount -o remount,bind,ro / && cd {shlex.quote(str(self.data))}"
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", f"{sealed} && exec {line}"],
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, command: list[str]) -> int:
        """The exit code of a command in it."""
        with self.start(command) as process:
            process.communicate(timeout=SECONDS)
            return process.returncode

    def until_healthy(self) -> None:
        """Wait as Docker does."""
        self.until(lambda: self.ask("/health").status_code == 200)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait; the process may not end meanwhile."""
        assert wait_for(lambda: self.process.poll() is not None or is_so(), SECONDS, every=PROBE_SECONDS)
        assert self.process.poll() is None, self.process.communicate()[1]

    def ask(self, path: str, host: str = NAME, **headers: str) -> httpx2.Response:
        """The answer to a request, as another service of the network sends it."""
        with httpx2.Client(trust_env=False, timeout=SECONDS) as client:
            try:
                return client.get(f"http://127.0.0.1:{self.port}{path}", headers={"Host": f"{host}:8000", **headers})
            except httpx2.TransportError:
                return httpx2.Response(503)

    def found(self, query: str) -> set[str]:
        """The files that a question finds."""
        url = f"http://127.0.0.1:{self.port}/api/tools/search_docs"
        with httpx2.Client(trust_env=False, timeout=SECONDS, headers={"Host": NAME}) as client:
            answer = client.post(url, json={"query": query})
        assert answer.status_code == 200, answer.text
        return {hit["metadata"]["file_path"] for hit in answer.json()["results"]}

    def stop(self) -> int:
        """Stop it as Docker does."""
        self.process.terminate()
        self.process.communicate(timeout=SECONDS)
        return self.process.returncode

    def _here(self, text: str) -> str:
        for inside, outside in self.paths.items():
            text = re.sub(rf"(?<![\w/]){inside}(?![\w-])", outside, text)
        return text


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def place() -> Iterator[Path]:
    """The folders of the container; its user owns what it may write to, as in the image.

    Not under pytest's own folder: each run of pytest that starts closes that one to other users.
    """
    with tempfile.TemporaryDirectory(prefix="container-", dir="/tmp") as name:
        place = Path(name)
        place.chmod(0o755)
        for folder in ("docs", "data", "tmp", "model"):
            (place / folder).mkdir(mode=0o755)
        (place / "docs" / "a.md").write_text("# Alpha\n\nA zebra crossing.\n", encoding="utf-8")
        (place / "docs" / "b.csv").write_text("animal,food\nzebra,grass\n", encoding="utf-8")
        yield place


@pytest.fixture
def container(place: Path) -> Iterator[Callable[..., Container]]:
    if shutil.which("unshare") is None or os.getuid() != 0:
        pytest.skip("only root may make a file system read-only for a process, by unshare")
    probe = subprocess.run(
        ["unshare", "--mount", "sh", "-c", "mount --make-rprivate / && mount -o remount,bind,ro /"],
        check=False,
        capture_output=True,
    )
    if probe.returncode:
        pytest.skip("nothing may be mounted here")
    for name in ("data", "tmp"):
        os.chown(place / name, 65534, 65534)
    started: list[Container] = []

    def start(**variables: str) -> Container:
        started.append(Container(place, **variables))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()


def composed(**variables: str) -> dict[str, str]:
    """The service's environment as `docker compose` makes it of these variables."""
    return {name: interpolated(value, variables) for name, value in SERVICE["environment"].items()}


def test_the_service_answers_under_its_name_and_writes_into_its_data_alone(
    container: Callable[..., Container], place: Path
) -> None:
    service = container(**composed())
    service.until_healthy()
    check = dockerfile.one(RUN, "HEALTHCHECK").command
    assert service.run(check) == 0
    assert service.ask("/health", "stranger.example").status_code == 421
    expected = {"a.md", "b.csv"} if OTHERS_MAY_RUN_IT else {"a.md"}
    service.until(lambda: service.found("zebra") == expected)
    assert list(service.data.rglob("*.db"))
    assert sorted(path.name for path in (place / "docs").iterdir()) == ["a.md", "b.csv"]
    assert list((place / "tmp").iterdir()) == []
    assert service.stop() == 0
    assert service.run(check) != 0


def test_a_key_closes_the_service(container: Callable[..., Container]) -> None:
    key = secrets.token_hex(16)
    service = container(**composed(MCP_API_KEY=key))
    service.until_healthy()
    assert service.ask("/").status_code == 401
    assert service.ask("/", **{"x-api-key": key}).status_code == 200


def test_the_image_alone_refuses_to_serve_everybody_without_a_key(container: Callable[..., Container]) -> None:
    alone = container()
    _, said = alone.process.communicate(timeout=SECONDS)
    assert alone.process.returncode == 3
    assert "MCP_API_KEY is not set" in said
