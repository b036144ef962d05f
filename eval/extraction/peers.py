"""What other packages make of the same claims and invoices, in an environment of their own.

    python -m venv peers && peers/bin/pip install langextract invoice2data
    peers/bin/python eval/extraction/peers.py langextract claims.jsonl
    PINCITE_DATA=... peers/bin/python eval/extraction/peers.py invoice2data

langextract: its aligner with its defaults, on the claims that `extraction.py claims --export` writes; a claim is
accepted if its quote has a place in the passage. It does not look at the value.
invoice2data: with its own templates, on the invoices of its own tests (`invoices/invoice2data`), read by its default,
poppler's pdftotext.
This file imports nothing of pincite.
"""

import argparse
import json
import logging
import os
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

FIELDS = ("invoice_number", "date", "amount", "amount_untaxed", "vat", "currency", "iban", "bic")


def langextract(claims: Path) -> None:
    from langextract import data, resolver  # noqa: PLC0415 - each has an environment that may lack the other

    aligner = resolver.WordAligner()
    made: Counter[bool] = Counter()
    accepted: Counter[bool] = Counter()
    seconds = 0.0
    for line in claims.read_text(encoding="utf-8").splitlines():
        claim = json.loads(line)
        extraction = data.Extraction(extraction_class="value", extraction_text=claim["quote"])
        started = time.perf_counter()
        ((found,),) = aligner.align_extractions([[extraction]], claim["text"])
        seconds += time.perf_counter() - started
        made[claim["is_true"]] += 1
        accepted[claim["is_true"]] += found.char_interval is not None
    for is_true in (True, False):
        share = 100 * accepted[is_true] / made[is_true]
        print(f"{'true' if is_true else 'false'} claims {made[is_true]}, accepted {accepted[is_true]}, {share:.1f} %")
    print(f"{1000 * seconds / made.total():.2f} ms a claim")


def plain(value: Any) -> str:
    text = re.sub(r"\s+", "", str(value)).casefold()
    return {"€": "eur", "$": "usd", "£": "gbp"}.get(text, text)


def same(name: str, found: Any, expected: Any) -> bool:
    if name in ("amount", "amount_untaxed"):
        return abs(float(found) - float(expected)) < 0.005  # noqa: PLR2004 - half a cent
    return plain(found)[:10] == plain(expected)[:10] if name == "date" else plain(found) == plain(expected)


def invoice2data() -> None:
    from invoice2data import extract_data  # noqa: PLC0415 - as above
    from invoice2data.extract.loader import read_templates  # noqa: PLC0415 - as above
    from invoice2data.input import pdftotext  # noqa: PLC0415 - as above

    logging.disable(logging.CRITICAL)
    templates = read_templates()
    expected = answered = right = unread = 0
    folder = Path(os.environ["PINCITE_DATA"]) / "invoices" / "invoice2data"
    files = sorted(folder.glob("*.pdf"))
    for file in files:
        truth = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        truth = truth[0] if isinstance(truth, list) else truth
        try:
            found = extract_data(str(file), templates=templates, input_module=pdftotext) or {}
        except Exception as error:  # noqa: BLE001 - what another package raises
            print(f"{file.name}: {error!r}")
            found = {}
        unread += not found
        for name in FIELDS:
            expected += truth.get(name) is not None
            answered += found.get(name) is not None and name in truth
            if truth.get(name) is not None and found.get(name) is not None:
                right += same(name, found[name], truth[name])
    print(f"{len(files)} invoices, {unread} without a template that fits; expected {expected}, answered {answered}")
    print(f"precision {right / max(1, answered):.3f}, recall {right / max(1, expected):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", choices=("langextract", "invoice2data"))
    parser.add_argument("claims", type=Path, nargs="?", help="for langextract: written by extraction.py --export")
    arguments = parser.parse_args()
    if arguments.package == "invoice2data":
        invoice2data()
    elif arguments.claims is None:
        parser.error("langextract needs a file of claims")
    else:
        langextract(arguments.claims)


if __name__ == "__main__":
    main()
