"""How much of an answer is passages, over questions as people ask.

    python eval/retrieval/answer_sizes.py [--folder FOLDER] [--questions QUESTIONS.tsv]

Prints, of `search_docs` with its defaults: bytes of the text block, of its passages and of each field, and how often
the expected page is first and within five. Default: `questions/prom-everyday.tsv` over the Prometheus documentation.
"""

import argparse
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import cast

from pydantic_core import to_json

from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from pincite.tools.answers.docs import SearchAnswer

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("PINCITE_DATA", HERE.parents[2] / "shared" / "data"))


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=DATA / "docs-prometheus" / "docs")
    parser.add_argument("--questions", type=Path, default=HERE / "questions" / "prom-everyday.tsv")
    given = parser.parse_args()
    rows = [line.split("\t") for line in given.questions.read_text("utf-8").splitlines()]
    sizes, first, within, answerable = Counter[str](), 0, 0, 0
    with tempfile.TemporaryDirectory() as cache:
        settings = load({"PINCITE_CACHE": cache, "PINCITE_FRESH_BUDGET": "inf", "PINCITE_MODEL_GRACE": "inf"})
        app = App(settings, given.folder)
        for question, pages, *_ in rows:
            answer = cast("SearchAnswer", app.toolbox.call("search_docs", {"query": question}, Call()))
            sizes.update(_sizes(answer))
            if expected := set(filter(None, pages.split("|"))):
                shown = [hit.metadata.file_path for hit in answer.results]
                answerable, first = answerable + 1, first + (shown[0] in expected)
                within += not expected.isdisjoint(shown)
        app.close()
    text, passages = sizes.pop("text"), sizes.pop("passages")
    print(f"{len(rows)} questions: text {text:,} B, passages {passages:,} B, {text / passages:.2f} times")
    print(f"of {answerable} with an answer: expected page first {first}, within five {within}")
    for field, size in sizes.most_common():
        print(f"  {field:20} {size:6,} B  {size / passages:.3f}")


def _sizes(answer: SearchAnswer) -> Counter[str]:
    whole = answer.model_dump(mode="json")
    sizes = Counter({"text": len(to_json(whole))})
    for hit in whole.pop("results"):
        sizes["passages"] += len(hit["content"].encode())
        content = hit.pop("content")
        sizes["escapes"] += len(to_json(content)) - 2 - len(content.encode())
        for name, value in {**hit.pop("metadata"), **hit}.items():
            sizes[name] += len(to_json({name: value})) - 1
    for name, value in whole.items():
        sizes[f"answer.{name}"] += len(to_json({name: value})) - 1
    return sizes


if __name__ == "__main__":
    main()
