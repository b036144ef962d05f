"""Whether `relevance` tells questions that the documents answer from those that they do not.

    python eval/retrieval/relevance.py [SET ...] [--fit | --held-out]

Prints how many questions of each kind would carry the low-relevance note: answered with the answer within five, near
the topic and not answered (written so, or asked without the pages that answer), of the same field, foreign, and those
that other sets answer. `--fit` fits the weights of `ranking/relevance.py`
again, prints them, and measures every set by models that its corpus took no part in. The questions marked held out
were put aside before anything was tuned; score them once, at the end.
"""

import argparse
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from questions import indexed
from relevance_sets import BY_PAGES, ELSEWHERE, FOREIGN, GROUPS, NEAR, SAME, QuestionSet, elsewhere, question_set

from pincite.index.retriever import RetrievalResult
from pincite.index.view import View
from pincite.model.call import Call
from pincite.ranking import relevance as model
from pincite.ranking.relevance import DOUBT, LOW, Evidence, Weights
from pincite.services.evaluation.datasets import Question
from pincite.services.evaluation.rankers import Target
from pincite.services.evaluation.run import answers

SETS = ("prom", "nist", "asvs", "tldr", "cranfield", "docs", "guide", "npm", "man", "standards", *GROUPS)
SETS_HELD_OUT = ("prom", "nist", "tldr", "undici")
FOUND, BEYOND = "answered", "beyond five"
KINDS = (FOUND, BEYOND, NEAR, SAME, FOREIGN, ELSEWHERE)
SIDES = {
    FOUND: (FOUND, BEYOND),
    BEYOND: (FOUND, BEYOND),
    NEAR: (NEAR,),
    SAME: (SAME,),
    FOREIGN: (FOREIGN, ELSEWHERE),
    ELSEWHERE: (FOREIGN, ELSEWHERE),
}
"""Kinds that share a weight; of one set the answerable questions count 1, each side of the others a half."""

BUCKETS = (0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1)
LEAST_AUROC = {FOREIGN: 0.98, SAME: 0.93, NEAR: 0.7}
FROM_ELSEWHERE = 14
"""Questions of every other set."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question of a set, its kind, and what its search showed, with the weak similarity of its first hits."""

    of: str
    kind: str
    evidence: Evidence


def main() -> int:
    """Print the table; 1 if an AUROC over all sets is below its target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(SETS))
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--held-out", action="store_true")
    arguments = parser.parse_args()
    names = arguments.sets or (SETS_HELD_OUT if arguments.held_out else SETS)
    asked = ask_all(names, held_out=arguments.held_out)
    values = left_one_out(asked) if arguments.fit else stated(asked, model.BY_COSINE, model.BY_TOKENS)
    table(asked, values)
    calibration(asked, values)
    if arguments.fit:
        for name, by_tokens in (("BY_COSINE", False), ("BY_TOKENS", True)):
            weights = [round(weight, 3) for weight in fit(asked, by_tokens=by_tokens)]
            print(f"\n{name} = Weights{tuple(weights)}")
    return int(any(area(asked, values, kind) < least for kind, least in LEAST_AUROC.items()))


def ask_all(names: Sequence[str], *, held_out: bool) -> list[Asked]:
    """Search for every question of every set whose documents are here."""
    texts: dict[str, list[str]] = {}
    for name in names:
        with question_set(name, held_out=held_out) as found:
            texts |= {name: [question.text for question in found.answered]} if found else {}
    asked: list[Asked] = []
    for name in texts:
        with question_set(name, held_out=held_out) as found:
            if found:
                with indexed(found.folder) as view:
                    asked += ask(view, found, list(elsewhere(name, dict(texts), FROM_ELSEWHERE)))
    return asked


def ask(view: View, found: QuestionSet, others: Sequence[str]) -> list[Asked]:
    rows = [answered(view, found.name, question) for question in found.answered]
    for kind, text in (*found.unanswered, *((ELSEWHERE, text) for text in others)):
        rows.append(unanswered(view, found.name, kind, text))
    for question in found.answered if found.name in BY_PAGES else ():
        pages = {gold.document for gold in question.golds}
        rows.append(unanswered(view, found.name, NEAR, question.text, without=pages))
    return [row for row in rows if row]


def answered(view: View, name: str, question: Question) -> Asked | None:
    hits = view.search(Call(), question.text, 5)
    targets = [Target(hit.chunk.document, hit.chunk.chunk.heading_path) for hit in hits.hits]
    within_five = any(answers(target, gold) for target in targets for gold in question.golds)
    evidence = compared(view, question.text, hits)
    return evidence and Asked(name, FOUND if within_five else BEYOND, evidence)


def unanswered(view: View, name: str, kind: str, text: str, without: Collection[str] = ()) -> Asked | None:
    hits = view.search(Call(), text, 5, lambda document: document not in without)
    evidence = compared(view, text, hits)
    return evidence and Asked(name, kind, evidence)


def compared(view: View, text: str, found: RetrievalResult) -> Evidence | None:
    """What a search showed, with the weak similarity that only doubtful searches compute."""
    similarity = view.searcher.weak_similarity(Call(), found.did_you_mean or text, found.hits)
    return found.evidence and found.evidence._replace(weak_similarity=similarity)


def features(rows: Sequence[Asked], *, by_tokens: bool) -> Numbers:
    """One row a question, in the order of `Weights`."""
    shown = [row.evidence for row in rows]
    meaning = [(one.weak_similarity or 0.0) if by_tokens else one.cosine for one in shown]
    return np.array([(first, one.coverage, one.missing) for first, one in zip(meaning, shown, strict=True)])


def fit(rows: Sequence[Asked], *, by_tokens: bool) -> Weights:
    """Weights and offset of a logistic model by Newton's method; every set counts alike, and both sides of it.

    Questions whose answer is beyond five are left out, for a note on them does no harm; a set counts the less the more
    of them it has.
    """
    kept = [row.kind != BEYOND for row in rows]
    weights = shares(rows)[kept]
    rows = [row for row in rows if row.kind != BEYOND]
    truth = np.array([row.kind == FOUND for row in rows], np.float64)
    raw = features(rows, by_tokens=by_tokens)
    center, scale = raw.mean(0), raw.std(0)
    scaled = np.column_stack([(raw - center) / scale, np.ones(len(rows))])
    found = np.zeros(scaled.shape[1])
    for _ in range(50):
        predicted = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (weights * (predicted - truth))
        curve = (scaled * (weights * predicted * (1 - predicted))[:, None]).T @ scaled
        found -= np.linalg.solve(curve + 1e-3 * np.eye(len(found)), slope)
    single = [float(weight) for weight in found[:-1] / scale]
    offset = float(found[-1] - np.array(single) @ center)
    return Weights._make((*single, offset))


def shares(rows: Sequence[Asked]) -> Numbers:
    """What each question counts, so that every set counts alike, and both sides of it."""
    counts = Counter((row.of, row.kind) for row in rows)
    together = [sum(counts[row.of, kind] for kind in SIDES[row.kind]) for row in rows]
    whole = [1.0 if row.kind in (FOUND, BEYOND) else 0.5 for row in rows]
    return np.array(whole) / np.array(together)


def left_one_out(rows: Sequence[Asked]) -> Numbers:
    """The probability of every question, by models that its corpus took no part in."""
    groups = [GROUPS.get(row.of, row.of) for row in rows]
    values = np.zeros(len(rows))
    for group in set(groups):
        others = [row for row, own in zip(rows, groups, strict=True) if own != group]
        places = [place for place, own in enumerate(groups) if own == group]
        models = fit(others, by_tokens=False), fit(others, by_tokens=True)
        values[places] = stated([rows[place] for place in places], *models)
    return values


def stated(rows: Sequence[Asked], by_cosine: Weights, by_tokens: Weights) -> Numbers:
    """The probability of every question by two models: the mean of both where the first one is in doubt."""
    values: list[float] = []
    for row in rows:
        first = model.probability(row.evidence, by_cosine, row.evidence.cosine)
        second = model.probability(row.evidence, by_tokens, row.evidence.weak_similarity or 0.0)
        values.append((first + second) / 2 if DOUBT[0] <= first < DOUBT[1] else first)
    return np.array(values)


def table(rows: Sequence[Asked], values: Numbers) -> None:
    print(f"noted below {LOW}\n{'':12}" + "".join(f"{kind:>20}" for kind in KINDS))
    for name in (*dict.fromkeys(row.of for row in rows), "all"):
        cells: list[str] = []
        for kind in KINDS:
            of_kind = [v for row, v in zip(rows, values, strict=True) if row.kind == kind and name in (row.of, "all")]
            noted = sum(value < LOW for value in of_kind)
            cells.append(f"{noted}/{len(of_kind)} {noted / len(of_kind):.3f}" if of_kind else "")
        print(f"{name:12}" + "".join(f"{cell:>20}" for cell in cells))
    middle = {kind: np.median([v for row, v in zip(rows, values, strict=True) if row.kind == kind]) for kind in KINDS}
    print(f"{'median':12}" + "".join(f"{value:>20.2f}" for value in middle.values()))
    areas = (f"{kind} {area(rows, values, kind):.4f}" for kind in (NEAR, SAME, FOREIGN, ELSEWHERE))
    print(f"AUROC against {', '.join(areas)}")


def area(rows: Sequence[Asked], values: Numbers, kind: str) -> float:
    of_kind = {
        wanted: [float(value) for row, value in zip(rows, values, strict=True) if row.kind == wanted]
        for wanted in (FOUND, kind)
    }
    if not all(of_kind.values()):
        return 1.0
    higher = np.array(of_kind[FOUND])[:, None] - np.array(of_kind[kind])
    return float(np.mean(higher > 0) + np.mean(higher == 0) / 2)


def calibration(rows: Sequence[Asked], values: Numbers) -> None:
    """What is stated beside what is so, every set and both sides of it counting alike."""
    kept = [place for place, row in enumerate(rows) if row.kind != BEYOND]
    stated, so = values[kept], np.array([rows[place].kind == FOUND for place in kept])
    weights = shares(rows)[kept]
    print(f"\n{'relevance':14}{'questions':>10}{'stated':>9}{'answered':>10}")
    for low, high in pairwise(BUCKETS):
        bucket = (stated >= low) & ((stated < high) | (high == 1))
        if bucket.any():
            means = (np.average(column[bucket], weights=weights[bucket]) for column in (stated, so))
            print(f"{low:.2f} to {high:.2f}  {bucket.sum():>10}" + "".join(f"{mean:>10.2f}" for mean in means))


if __name__ == "__main__":
    raise SystemExit(main())
