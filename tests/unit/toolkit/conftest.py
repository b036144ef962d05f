import pytest

from pincite.toolkit import Toolbox
from support.sample_toolsets import Parlour


@pytest.fixture
def toolbox() -> Toolbox:
    return Toolbox([Parlour], seconds=30)
