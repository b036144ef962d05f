"""How documents are read: which settings are refused."""

import pytest

from pincite.errors import ConfigError
from pincite.settings import load


def test_an_unknown_engine_of_text_recognition_is_refused_with_those_that_are() -> None:
    with pytest.raises(ConfigError, match=r"write auto, .*, off"):
        load({"PINCITE_OCR": "magic"})
