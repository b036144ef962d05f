"""Whether `relevance` tells questions that the documents answer from those that they do not.

    python eval/relevance.py [--held-out]

AUROC against questions of foreign fields and of the same field, and what the threshold of the low-relevance note
would say of each kind. The sets marked held out were put aside before anything was tuned.
"""

import argparse
from collections.abc import Sequence

from pincite.model.call import Call
from pincite.ranking.relevance import LOW
from pincite.services.evaluation.metrics import auroc
from questions import DATA, HERE, Corpus, corpus, indexed

SETS = ("prom", "nist", "tldr", "asvs")
TARGETS = {"foreign": 0.98, "same field": 0.93}


def main() -> int:
    """Print the table; 1 if a target is missed over all sets together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true")
    held_out: bool = parser.parse_args().held_out
    path = HERE / "questions" / "unanswerable-held-out.tsv" if held_out else DATA / "questions" / "unanswerable.tsv"
    unanswerable = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line]
    answered: list[float] = []
    not_answered: dict[str, list[float]] = {kind: [] for kind in TARGETS}
    print(f"{'':8}{'answered':>10}" + "".join(f"{kind:>14}{'AUROC':>8}{'over':>7}" for kind in TARGETS))
    for name in SETS:
        asked = {
            kind: [question for of, its, question in unanswerable if its == kind and of in (name, "any")]
            for kind in TARGETS
        }
        if held_out and not (HERE / "questions" / f"{name}-held-out.tsv").is_file():
            continue
        with corpus(name, held_out=held_out) as found:
            positive, *negatives = relevances(found, [q.text for q in found.questions], *asked.values())
        for kind, values in zip(TARGETS, negatives, strict=True):
            not_answered[kind] += values
        answered += positive
        print(row(name, positive, dict(zip(TARGETS, negatives, strict=True))))
    print(row("all", answered, not_answered))
    return int(any(auroc(answered, not_answered[kind]) < least for kind, least in TARGETS.items()))


def relevances(found: Corpus, *questions: Sequence[str]) -> list[list[float]]:
    """The relevance that a search states, for each list of questions."""
    with indexed(found.folder) as (index, view):
        return [[index.search(view, Call(), text, 5).relevance or 0.0 for text in texts] for texts in questions]


def row(name: str, positive: Sequence[float], negatives: dict[str, list[float]]) -> str:
    """One line: questions, AUROC, and the share above the threshold."""
    shown = f"{name:8}{len(positive):>4}{over(positive):6.0%}"
    for values in negatives.values():
        shown += f"{len(values):>14}" + (f"{auroc(positive, values):8.3f}{over(values):7.0%}" if values else " " * 15)
    return shown


def over(values: Sequence[float]) -> float:
    return sum(value >= LOW for value in values) / max(1, len(values))


if __name__ == "__main__":
    raise SystemExit(main())
