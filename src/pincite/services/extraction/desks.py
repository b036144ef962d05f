"""Open the desk of an agent: the four tools, over one file and its index and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pincite.agents.claude.desk import TOOLS, Desk
from pincite.index.cached import CachedCollections
from pincite.model.call import Call
from pincite.model.extraction import Material
from pincite.services.extraction.capabilities import Capabilities
from pincite.services.extraction.indexes import EXTRACTION_POLICY
from pincite.services.local_files import LocalFiles
from pincite.toolkit import Scope, Toolbox


@dataclass(frozen=True, slots=True)
class ToolServer:
    """Where the tools run, if not here.

    Attributes:
        url: The address of the tool server.
        data: The data folder that this process shares with it.
        seconds: Time after which a task's token opens nothing.
    """

    url: str
    data: Path
    seconds: float

    def has(self, file: Path) -> bool:
        """Return True if the tool server has a file: the shared folder holds uploads, not every local file."""
        return file.resolve().is_relative_to(self.data.resolve())


def desks(
    file: Path, toolbox: Toolbox, files: LocalFiles, cached: CachedCollections, server: ToolServer | None = None
) -> Callable[[Material, Call], Desk]:
    """Return what opens the desk of a file.

    Args:
        file: The document.
        toolbox: Tools, those of the toolset `extraction` among them.
        files: The local files that may be read.
        cached: The indexes of single documents: the file's own is made before the agent begins, so that the scope
            can name it.
        server: Where the tools run; here if None, or if it does not have the file.
    """

    def open_desk(material: Material, call: Call) -> Desk:
        del material  # the tools read the file itself
        index = cached.of(files.read_blob(str(file)), call, EXTRACTION_POLICY)
        scope = Scope(frozenset({index.spec.name}), frozenset({file}))
        return Desk(toolbox.only(TOOLS, scope), file)

    def open_remote(material: Material, call: Call) -> Desk:
        del material  # the tool server reads the file and makes its index
        assert server is not None  # noqa: S101 - as it is chosen
        return remote_desk(file, cached.name_of(files.read_blob(str(file)), EXTRACTION_POLICY), toolbox, server, call)

    return open_remote if server is not None and server.has(file) else open_desk


def remote_desk(file: Path, index: str, toolbox: Toolbox, server: ToolServer, call: Call) -> Desk:
    """Return a desk whose tools run on a tool server, by a token that opens this file and its index alone.

    Raises:
        ToolServerFailed: The tool server cannot be reached.
        Cancelled, TimeoutExceeded: See `Call.check`.
        WritingFailed: The token cannot be stored.
    """
    from pincite.services.extraction.tool_server import RemoteTools, ToolServerFailed  # noqa: PLC0415 - only with a tool server

    capabilities = Capabilities(server.data)
    path = PurePosixPath(file.resolve().relative_to(server.data.resolve()).as_posix())
    token = capabilities.grant(TOOLS, index, path, server.seconds)
    try:
        tools = RemoteTools(toolbox, server.url, token, call)
    except BaseException:
        capabilities.revoke(token)
        raise

    def close() -> None:
        capabilities.revoke(token)
        tools.close()

    return Desk(tools, path, loss=(ToolServerFailed,), close=close)
