"""Findings about quotations, as a person, a script, a workflow of GitHub or a viewer of SARIF reads them."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from pincite.evidence.quotes import Verdict
from pincite.services.citations.quotations import Quotation
from pincite.text.counts import counted
from pincite.text.excerpt import excerpt
from pincite.transports.cli.printing.output import safe
from pincite.version import __version__


class Level(StrEnum):
    """Whether a quotation holds; the words are those of SARIF but for `ok`."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking a quotation.

    Attributes:
        file: The file that quotes, with `/`.
        quotation: The quotation.
        level: Whether it holds.
        verdict: How far the document contains it; None if its reference opens nothing.
        newer_ref: The reference in the current revision, if the document has changed since; of the quotation itself, if
            its reference opens nothing and the document has the words.
        message: What is wrong, or what changed; empty if nothing is to be said.
    """

    file: str
    quotation: Quotation
    level: Level
    verdict: Verdict | None
    newer_ref: str | None
    message: str


def _text(findings: Sequence[Finding]) -> str:
    count = Counter(finding.level for finding in findings)
    totals = (len(findings), "quotation"), (count[Level.WARNING], "warning"), (count[Level.ERROR], "error")
    problems = (
        safe(f"{finding.file}:{finding.quotation.line}: {finding.level}: {_sentence(finding)}\n")
        for finding in findings
        if finding.message
    )
    return f"{''.join(problems)}{', '.join(counted(*total) for total in totals)}\n"


def _json(findings: Sequence[Finding]) -> str:
    quoted = [
        {
            "file": finding.file,
            "line": finding.quotation.line,
            "quote": finding.quotation.words,
            "ref": finding.quotation.ref,
            "level": finding.level,
            "verdict": finding.verdict,
            "newer_ref": finding.newer_ref,
            "message": finding.message,
        }
        for finding in findings
    ]
    return json.dumps({"quotations": quoted}, indent=2) + "\n"


def _github(findings: Sequence[Finding]) -> str:
    """Return commands to the runner: docs.github.com, "Workflow commands for GitHub Actions"."""
    return "".join(
        f"::{'notice' if finding.level is Level.OK else finding.level} "
        f"file={_escaped(finding.file, in_property=True)},line={finding.quotation.line},title=pincite check"
        f"::{_escaped(safe(_sentence(finding)))}\n"
        for finding in findings
        if finding.message
    )


def _escaped(text: str, *, in_property: bool = False) -> str:
    escapes = {"%": "%25", "\r": "%0D", "\n": "%0A", **({":": "%3A", ",": "%2C"} if in_property else {})}
    return text.translate(str.maketrans(escapes))


def _sarif(findings: Sequence[Finding]) -> str:
    rules = [{"id": name} for name in dict.fromkeys(map(_rule, findings))]
    run = {
        "tool": {"driver": {"name": "pincite", "version": __version__, "rules": rules}},
        "results": [_sarif_result(finding) for finding in findings if finding.message],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _sarif_result(finding: Finding) -> Mapping[str, Any]:
    location = {
        "artifactLocation": {"uri": quote(finding.file)},
        "region": {"startLine": finding.quotation.line},
    }
    return {
        "ruleId": _rule(finding),
        "level": "note" if finding.level is Level.OK else finding.level,
        "message": {"text": _sentence(finding)},
        "locations": [{"physicalLocation": location}],
    }


def _rule(finding: Finding) -> str:
    return "not-found" if finding.verdict is None else finding.verdict


def _sentence(finding: Finding) -> str:
    words = excerpt(" ".join(finding.quotation.words.split()))
    return f"“{words}” {finding.message}"


FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = {
    "text": _text,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
}
"""Findings as text, by the name of the format."""
