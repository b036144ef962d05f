"""The `counting` toolset: how much there is to read."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Annotated, Any

from pydantic import Field

from pincite.errors import ErrorForm
from pincite.index.views import Views
from pincite.model.call import Call
from pincite.toolkit import TOOL_EVENTS, Answer, Tool, tool
from pincite.tools.base import Parts


class WordsAnswer(Answer):
    """How many words a page has."""

    words: int


class CountingToolset:
    """One tool over one folder."""

    name = "counting"
    error_form = ErrorForm.MESSAGE
    events = TOOL_EVENTS

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[Views]:
        """See `Toolset.view`: the served folders."""
        del arguments
        return self._parts.folder_views(tool, call)

    @tool()
    def count_words(
        self, view: Views, file_path: Annotated[str, Field(description="Path as list_pages shows it.")]
    ) -> WordsAnswer:
        """Count the words of a page. Use list_pages to find its path."""
        holder, document = view.document(lambda each: each.named(file_path))
        return WordsAnswer(words=len(holder.text(document).split()))
