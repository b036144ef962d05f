"""Whether a good text layer is ever replaced by recognised text, and a bad one ever kept: one command, one table.

    python eval/ocr/layers.py [--recognise] [--threads 1] [FOLDER ...]

All pages with a text layer in the PDFs of PINCITE_DATA (or of the folders), by what the reader makes of it: `good`,
`scan` (hardly any text under a picture), `garbage` (fonts that do not say what they print), `OCR layer` (recognised by
the program that made the file). A layer is readable if half of its words of three letters or more occur in good layers
of two other files, whatever its language. Named are good layers that are not readable, and readable ones that are not
good: with `--recognise` one page a file of the latter is recognised, with the share of the words of the shorter text
that the other has, the confidence, and whose text is used then.
"""

import argparse
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pypdfium2.raw as pdfium

from pincite.errors import PinciteError
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.ocr.recognise import recognise_page
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.page_content import read_words
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.quality import GARBAGE, SCAN, agreement
from pincite.formats.pdf.render import rasterise
from pincite.model.call import Call
from pincite.registry import RECOGNISERS, find, load

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
WORD = re.compile(r"[^\W\d_]{3,}")
STATES = {"": "good", SCAN: "scan", GARBAGE: "garbage"}
MIN_WORDS = 10
"""Words of a layer from which there is telling whether it can be read."""

MIN_OTHER_FILES = 2
READABLE_SHARE, UNREADABLE_SHARE = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class Layer:
    """The text layer of a page.

    Attributes:
        file: Its file.
        number: Its number from 1.
        state: What the reader makes of it.
        words: Its words of three letters or more, in lower case.
    """

    file: Path
    number: int
    state: str
    words: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recognise", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--max-pages", type=int, default=100, help="pages looked at in each file")
    parser.add_argument("folders", nargs="*", type=Path, default=[DATA])
    options = parser.parse_args()
    files = sorted(path for folder in options.folders for path in folder.rglob("*.pdf"))
    layers = [layer for file in files for layer in layers_of(file, options.max_pages)]
    states = Counter(layer.state for layer in layers)
    print(f"{len(layers)} pages of {len({layer.file for layer in layers})} files: {dict(states)}", flush=True)
    files_by_word: dict[str, set[Path]] = defaultdict(set)
    for layer in layers:
        for word in layer.words if layer.state == "good" else ():
            files_by_word[word].add(layer.file)
    shares = [known_share(layer, files_by_word) for layer in layers]
    judged = [(layer, share) for layer, share in zip(layers, shares, strict=True) if len(layer.words) >= MIN_WORDS]
    unreadable = [(layer, share) for layer, share in judged if layer.state == "good" and share < UNREADABLE_SHARE]
    readable = [(layer, share) for layer, share in judged if layer.state != "good" and share >= READABLE_SHARE]
    print(f"{len(judged)} layers have {MIN_WORDS} words: {dict(Counter(layer.state for layer, _ in judged))}")
    for title, found in (("good, not readable", unreadable), ("readable, not good", readable)):
        print(f"{title}: {len(found)} pages of {len({layer.file for layer, _ in found})} files")
        for layer, share in found:
            print(f"  {layer.state:9} {share:.2f} of {len(layer.words):5} words  {layer.file.name} p. {layer.number}")
    if options.recognise:
        recognise(list({layer.file: layer for layer, _ in reversed(readable)}.values()), options.threads)


def known_share(layer: Layer, files_by_word: Mapping[str, set[Path]]) -> float:
    """Return the share of a layer's words that occur in good layers of two other files."""
    known = sum(len(files_by_word.get(word, set()) - {layer.file}) >= MIN_OTHER_FILES for word in layer.words)
    return known / max(1, len(layer.words))


def layers_of(file: Path, max_pages: int) -> Iterator[Layer]:
    """Yield the layer of each page of a file that has text; none of a file that cannot be opened."""
    try:
        with open_document(file.read_bytes()) as opened:
            for number in range(1, min(pdfium.FPDF_GetPageCount(opened.document), max_pages) + 1):
                with open_page(opened.document, number) as page:
                    source = read_words(page)
                    text = " ".join(word.text for word in source.words.words)
                    state = "OCR layer" if source.is_layer else STATES[source.problem]
                    if text:
                        yield Layer(file, number, state, tuple(WORD.findall(text.lower())))
    except PinciteError:
        return


def recognise(layers: list[Layer], threads: int) -> None:
    """Recognise pages whose layers are readable but not good, and print whose text is used."""
    engine = load(find(RECOGNISERS, "rapidocr"))(threads=threads, languages="eng")
    outcomes = Counter[tuple[str, str]]()
    for layer in layers:
        blob = Blob(layer.file.name, layer.file.read_bytes())
        try:
            raster = next(iter(rasterise(blob, [layer.number], ReadOptions(), Call())))
            page = recognise_page(raster, engine)
        except PinciteError as problem:
            print(f"{layer.state:8} {layer.file.name} p. {layer.number}: {problem.message}")
            continue
        with open_document(blob.data) as opened, open_page(opened.document, layer.number) as opened_page:
            words = read_words(opened_page).words.words
            source = read_words(opened_page, page)
        share = agreement(words, page)
        used = "recognised" if source.is_recognised else "in doubt" if source.problem else "layer"
        outcomes[layer.state, used] += 1
        print(
            f"{layer.state:8} {share:.2f} {page.confidence:.2f} {len(words):5} {len(page.text.split()):5} "
            f"{used:12} {layer.file.name} p. {layer.number}",
            flush=True,
        )
    for (state, used), count in sorted(outcomes.items()):
        print(f"{state}: {used}: {count}")


if __name__ == "__main__":
    main()
