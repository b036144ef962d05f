"""Open the desk of an agent: the four tools, over one file and its index and nothing else."""

from collections.abc import Callable
from pathlib import Path

from pincite.agents.claude.desk import TOOLS, Desk
from pincite.index.cached import CachedCollections
from pincite.model.call import Call
from pincite.model.extraction import Material
from pincite.services.extraction.indexes import POLICY
from pincite.services.local_files import LocalFiles
from pincite.toolkit import Scope, Toolbox


def desks(
    file: Path, toolbox: Toolbox, files: LocalFiles, cached: CachedCollections
) -> Callable[[Material, Call], Desk]:
    """Return what opens the desk of a file.

    Args:
        file: The document.
        toolbox: Tools, those of the toolset `extraction` among them.
        files: The local files that may be read.
        cached: The indexes of single documents: the file's own is made before the agent begins, so that the scope
            can name it.
    """

    def open_desk(material: Material, call: Call) -> Desk:
        del material  # the tools read the file itself
        index = cached.of(files.read(str(file)), call, POLICY)
        scope = Scope(frozenset({index.spec.name}), frozenset({file}))
        return Desk(toolbox.only(TOOLS, scope), file)

    return open_desk
