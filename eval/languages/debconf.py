"""Write the questions of Debian's packages as pages like those of tldr-pages, in every language they are translated to.

    python eval/languages/debconf.py PAGES PACKAGE.deb [PACKAGE.udeb ...]

A question becomes a page: its short description the summary, the paragraphs of its extended description the items.
"""

import argparse
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

_DESCRIPTION = re.compile(r"^Description-(\w+)\.UTF-8: (.+)\n((?: .*\n?)*)", re.MULTILINE)
_NAME = re.compile(r"^Template: (\S+)", re.MULTILINE)
_BETWEEN = re.compile(r"^ \.$", re.MULTILINE)


def pages_of(package: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (language, name, text) of each translation of a package's questions."""
    command = ["dpkg-deb", "--info", str(package), "templates"]
    templates = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout  # noqa: S603 - as given
    for template in templates.split("\n\n"):
        name = _NAME.search(template)
        for language, summary, extended in _DESCRIPTION.findall(template) if name else ():
            items = ["- " + " ".join(paragraph.split()) for paragraph in _BETWEEN.split(extended) if paragraph.strip()]
            title = name[1].replace("/", "-")
            yield language, title, "\n\n".join((f"# {title}", f"> {summary}.", *items)) + "\n"


def main() -> None:
    """Write the pages of each package."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("packages", type=Path, nargs="+")
    asked = parser.parse_args()
    for package in asked.packages:
        for language, name, text in pages_of(package):
            path = asked.folder / f"pages.{language.replace('zh_CN', 'zh')}" / "debconf" / f"{name}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
