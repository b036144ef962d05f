"""What toolsets are written with: methods marked as tools, with JSON schemas, all called through `Toolbox.call`.

Enters: classes with marked methods, and arguments of clients.
Leaves: validated calls under a time limit, answers as JSON.
First: `toolset`.
Free: how arguments are validated. Schemas of tools are held by a drift test and the contracts.
Modules: answers, schemas, toolbox, toolset, validation.
"""

from pincite.toolkit.answers import Answer, IndexState, ResponseModel, optional, state_fields
from pincite.toolkit.toolbox import Toolbox
from pincite.toolkit.toolset import (
    TOOL_EVENTS,
    Events,
    MakeToolset,
    Scope,
    Tool,
    Toolset,
    View,
    ViewHook,
    tool,
    tools_of,
)
from pincite.toolkit.validation import MAX_ARGUMENT_CHARS, validated

__all__ = [
    "MAX_ARGUMENT_CHARS",
    "TOOL_EVENTS",
    "Answer",
    "Events",
    "IndexState",
    "MakeToolset",
    "ResponseModel",
    "Scope",
    "Tool",
    "Toolbox",
    "Toolset",
    "View",
    "ViewHook",
    "optional",
    "state_fields",
    "tool",
    "tools_of",
    "validated",
]
