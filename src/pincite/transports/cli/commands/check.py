"""`pincite check`: verify the quotations of Markdown files."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, cast

import typer

from pincite.app import App
from pincite.errors import InvalidInput, NotFound
from pincite.evidence.quotes import Verdict
from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.services.citations.quotations import Quotation, quotations, with_refs
from pincite.tools.citations import OpenedCitation, VerifiedQuote
from pincite.transports.cli.opening.applications import file_bytes, opened, quote_in
from pincite.transports.cli.parameters import HERE, Database, EnvFile, Json, Library, LogLevel
from pincite.transports.cli.printing import streams
from pincite.transports.cli.printing.findings import FORMATS, Finding, Level
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.program import new_program
from pincite.transports.problems import PARTIAL, SUCCESS

program = new_program()

_PROBLEMS = {
    Verdict.MOVED: "The words are elsewhere in the document: {at}",
    Verdict.STITCHED: "The words are put together from parts of the document: {content}",
    Verdict.ABSENT: "The document does not say this.",
}


_FIXED = {None, Verdict.EXACT, Verdict.NORMALISED}
"""Verdicts of quotations whose reference is brought up to date: that it opens nothing, or that it holds."""


@program.command(epilog="Example: pincite check report.md --against ./standards")
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Markdown files, or folders of them.")],
    against: Annotated[Path, typer.Option("--against", metavar="FOLDER", help="Folder of the cited documents.")] = HERE,
    library: Library = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail on quotations that are moved or stitched, too, not only warn.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write the reference of the current revision where the document has changed.")
    ] = False,
    output_format: Annotated[
        str, typer.Option("--format", metavar="NAME", help="text, json, github (annotations of a workflow) or sarif.")
    ] = "text",
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Check every quotation of Markdown files that has a reference beside it.

    A quotation is a block quote or text in double quotation marks, followed by its reference as a link or a code span.
    Exit code 1 if one does not hold.
    """
    if output_format not in FORMATS:
        raise InvalidInput(f"--format takes {', '.join(FORMATS)}.")
    texts = {file: _read(file) for file in _markdown(files)}
    with opened(None if library else against, db, env_file, log_level) as app:
        judge = _Judge(app, strict=strict)
        findings = [judge.finding(file, found) for file, text in texts.items() for found in quotations(text)]
    if fix:
        _fix(texts, findings)
    Output(as_json=False).document(FORMATS["json" if as_json else output_format](findings))
    return PARTIAL if any(finding.level is Level.ERROR for finding in findings) else SUCCESS


class _Judge:
    """Judges quotations against the documents of an application."""

    def __init__(self, app: App, *, strict: bool) -> None:
        self._app = app
        self._failing = set(_PROBLEMS) if strict else {Verdict.ABSENT}
        self._opened = cache(self._open)

    def finding(self, file: Path, quotation: Quotation) -> Finding:
        """Return whether a quotation holds."""
        try:
            answer = self._verify(quotation)
            newer_ref = self._opened(quotation.ref)
        except (NotFound, InvalidInput) as error:
            at = self._elsewhere(quotation)
            message = f"{error.message} These words are at {at}." if at else error.message
            return Finding(file.as_posix(), quotation, Level.ERROR, None, at, message)
        if problem := _PROBLEMS.get(answer.verdict):
            level = Level.ERROR if answer.verdict in self._failing else Level.WARNING
            message = problem.format(at=answer.at, content=answer.content)
        else:
            level = Level.OK
            message = f"The document has changed since, but not here: {newer_ref}" if newer_ref else ""
        return Finding(file.as_posix(), quotation, level, answer.verdict, newer_ref, message)

    def _verify(self, quotation: Quotation) -> VerifiedQuote:
        arguments = {"ref": quotation.ref, "quote": quotation.words}
        return cast("VerifiedQuote", self._app.toolbox.call("verify_quote", arguments, Call()))

    def _elsewhere(self, quotation: Quotation) -> str | None:
        """Return where the document of a reference that opens nothing has the words."""
        try:
            document = parse(quotation.ref).document
            return quote_in(self._app, quotation.words, document.__eq__, Call()).at
        except (NotFound, InvalidInput):
            return None

    def _open(self, ref: str) -> str | None:
        """Return the reference of the same text in the current revision, if the document has changed since."""
        answer = cast("OpenedCitation", self._app.toolbox.call("open_citation", {"ref": ref}, Call()))
        return answer.newer_ref


def _markdown(files: Iterable[Path]) -> list[Path]:
    """Return the files, and the Markdown files of folders, each once."""
    found = (sorted(file.rglob("*.md")) if file.is_dir() else [file] for file in files)
    return list(dict.fromkeys(file for group in found for file in group))


def _read(file: Path) -> str:
    try:
        return file_bytes(file).decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(file)!r} cannot be read as UTF-8: {error}.") from error


def _fix(texts: dict[Path, str], findings: Sequence[Finding]) -> None:
    """Write newer references into the files."""
    for file, text in texts.items():
        newer: dict[str, set[str]] = {}
        for finding in findings:
            if finding.file == file.as_posix() and finding.newer_ref and finding.verdict in _FIXED:
                newer.setdefault(finding.quotation.ref, set()).add(finding.newer_ref)
        # One reference of words that are in several places now is left to a person.
        known = {ref: "".join(places) for ref, places in newer.items() if len(places) == 1}
        if (fixed := with_refs(text, known)) != text:
            with streams.writing(file):
                file.write_bytes(fixed.encode())
