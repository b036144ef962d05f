import sys

import pytest

from pincite.formats.worker import memory


def test_where_the_system_limits_no_memory_it_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "darwin")
        assert memory.limit(1) is False
        on_a_mac = memory.peak()
    assert memory.peak() == 1024 * on_a_mac
    assert memory.peak() > 10_000_000
    ended: list[str] = []
    memory.watch(1, lambda: ended.append("more than one byte"))
    assert ended
