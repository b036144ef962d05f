import os

import pytest

from pincite.formats.worker import frames, memory
from pincite.formats.worker.frames import Job


def test_an_answer_holds_plain_data_only() -> None:
    for message in (os.getpid, ["text", memory.watch], Job):
        body = frames.pack(message)[8:]
        with pytest.raises(Exception, match="does not belong into an answer"):
            frames.unpack_answer(body)
