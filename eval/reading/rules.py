"""Which rules of the PDF reader decide, in how many real files of how many producers: `make rules`.

    python eval/reading/rules.py [--most FILES] [--pages PAGES] [FILE ...]

Every function of `formats/pdf` that returns True or False, or a changed copy of a sequence, is watched while the PDF
files of `PINCITE_DATA` are read. A rule that is true, or changes something, in no more than `--most` files is listed:
it leaves unless another measurement needs it (docs/decisions). Small files made for one fault are left out, as each
would prove its own rule. The last line counts the numeric constants that decide.
"""

import argparse
import ast
import importlib
import inspect
import os
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pincite.formats.pdf
from pincite.errors import PinciteError
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf import reader
from pincite.model.call import Call
from pincite.model.document import Head

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
MADE = ("found", "hostile")
"""Folders of files that were made for one fault each."""


class Watch:
    """Counts the files in which functions are true, or change what they are given.

    Attributes:
        decided: The files, by function.
        other: Those in which it is false, or changes nothing.
    """

    def __init__(self) -> None:
        self.decided: defaultdict[str, set[str]] = defaultdict(set)
        self.other: defaultdict[str, set[str]] = defaultdict(set)
        self.file = ""

    def watched(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        """Return a function that does the same and is counted."""

        def call(*arguments: Any, **named: Any) -> Any:
            result = function(*arguments, **named)
            decides = result if isinstance(result, bool) else bool(arguments) and list(result) != list(arguments[0])
            (self.decided if decides else self.other)[name].add(self.file)
            return result

        return call


def modules() -> list[ModuleType]:
    """Return the modules of the reader."""
    package = pincite.formats.pdf
    return [
        importlib.import_module(found.name) for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]


def rules(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the functions of a module that tell or change something."""
    for name, function in inspect.getmembers(module, inspect.isfunction):
        given = [str(parameter.annotation) for parameter in inspect.signature(function).parameters.values()]
        takes_list = bool(given) and given[0].split(".")[-1].split("[")[0] in {"Sequence", "list"}
        annotation = inspect.signature(function).return_annotation
        returned = "bool" if annotation is bool else str(annotation)
        is_step = returned.startswith("list[") and takes_list
        is_own = function.__module__ == module.__name__ and not inspect.isgeneratorfunction(function)
        if is_own and (returned == "bool" or is_step) and not hasattr(function, "__wrapped__"):
            yield f"{module.__name__.removeprefix('pincite.formats.pdf.')}.{name}", function


def read(file: Path, pages: int) -> str:
    """Read a file and return its producer."""
    blob, producer = Blob(file.name, file.read_bytes()), ""
    for page in reader.read(blob, ReadOptions(max_pages=pages), Call()):
        if isinstance(page, Head):
            producer = str(page.properties.get("producer", "")).split(" ")[0]
    return producer


def constants(found: Sequence[ModuleType]) -> int:
    """Return the number of numbers that constants of modules have."""
    trees = (ast.parse(Path(module.__file__ or "").read_text("utf-8")) for module in found)
    values = (node.value for tree in trees for node in tree.body if isinstance(node, ast.Assign))
    numbers = (value for tree in values for value in ast.walk(tree) if isinstance(value, ast.Constant))
    return sum(isinstance(number.value, (int, float)) for number in numbers)


def main() -> None:
    """Watch, read and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=3)
    parser.add_argument("--pages", type=int, default=60)
    options = parser.parse_args()
    found, watch = modules(), Watch()
    watched = {function: watch.watched(function, name) for module in found for name, function in rules(module)}
    for module in found:
        for name, member in inspect.getmembers(module, inspect.isfunction):
            if member in watched:
                setattr(module, name, watched[member])
    own = (file for file in sorted(DATA.rglob("*.pdf")) if not set(MADE) & set(file.relative_to(DATA).parts))
    producers: dict[str, str] = {}
    for file in options.files or own:
        watch.file = str(file)
        try:
            producers[watch.file] = read(file, options.pages)
        except PinciteError as error:
            print(f"{file.name}: {error.message}")
    print("| rule | files | producers | other files |\n|---|---|---|---|")
    for name in sorted(watch.other, key=lambda name: (len(watch.decided[name]), name)):
        files = watch.decided[name]
        if len(files) <= options.most < len(watch.other[name]):
            makers = {producers.get(file, "") for file in files}
            print(f"| {name} | {len(files)} | {len(makers)} | {len(watch.other[name])} |")
    print(f"\n{len(producers)} files; {constants(found)} numbers in constants.")


if __name__ == "__main__":
    main()
