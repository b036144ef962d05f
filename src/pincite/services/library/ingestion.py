"""What an ingestion adds to a library: the files of its sources, and the ids that their documents get."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from pincite.chunking.tagging.documents import (
    context_title,
    document_type,
    own_title,
    possible_titles,
    reported_period,
    stem,
)
from pincite.errors import ConnectionFailed, InvalidInput, NotFound
from pincite.formats.markdown import front_matter
from pincite.index.titles import PERIOD, TITLES, with_period
from pincite.index.updating.builder import Description
from pincite.index.updating.ingestion import Addition
from pincite.model.call import Call
from pincite.model.chunk import text_hash
from pincite.model.document import Document
from pincite.model.status import iso
from pincite.model.store import State, StoredDocument
from pincite.registry import FORMATS
from pincite.sources.base import FileState, Source, SourceDocument, is_racy
from pincite.sources.paths import read_regular, state_of, unseen
from pincite.text.excerpt import excerpt, excerpts

ROOT_MARK = "/./"
"""Separates the ingested folder from the path below it in a source key, as in rsync: `/standards/./nist/800-63.pdf`."""

DOCUMENT_TYPE, INGESTED_AT = "document_type", "ingested_at"
"""The properties of a library's document."""

MAX_ID_CHARS = 200
"""Maximum length of a `document_id` in front matter; a longer one is no id that a person could cite."""

MAX_SHOWN_IDS = 5
"""Shared ids that a warning names; in folders of modules every `index.md` and `README.md` is one."""

SETTLING_SECONDS = 0.02
"""Pause after which a file that was just written is read again: its state is trusted only once the clock moved on."""

MAX_SETTLINGS = 150
"""Readings of a file that was just written: three seconds, for file systems that count whole or even seconds."""

_MARKDOWN = tuple(next(row.extensions for row in FORMATS if row.name == "markdown"))


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to ingest.

    Attributes:
        key: Its source key: the ingested folder, `ROOT_MARK`, the path below it.
        own_id: The id of its document if no other file has it.
        state: Its state.
        read: Returns its bytes.
    """

    key: str
    own_id: str
    state: State
    read: Callable[[], SourceDocument]

    @property
    def path(self) -> str:
        """Its path below the ingested folder."""
        return path_of(self.key)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an ingestion will do.

    Attributes:
        additions: The documents to add, by path.
        vanished: Documents of the same sources whose files are gone: source key by name.
        left_out: Why a file is left out, by path.
        warnings: Messages for the user.
        failures: Why files and folders cannot be read, by path: of those that were listed, and of documents that are
            not seen to be gone, which are kept.
    """

    additions: Sequence[Addition]
    vanished: Mapping[str, str]
    left_out: Mapping[str, str]
    warnings: Sequence[str]
    failures: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which files of a folder are ingested.

    Attributes:
        recursive: Whether sub-folders are read, too.
        patterns: Patterns of file names, any of them; empty for every file that a reader knows.
    """

    recursive: bool = True
    patterns: Sequence[str] = ()

    def has(self, path: str) -> bool:
        """Return True if a path below the folder is chosen."""
        folder, _, name = path.rpartition("/")
        if folder and not self.recursive:
            return False
        return not self.patterns or any(fnmatchcase(name.lower(), pattern.lower()) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class SourceFiles:
    """The files of one source.

    Attributes:
        root: The ingested folder; of a single file, its folder.
        files: By path.
        left_out: Why a file is left out, by path.
        warnings: Messages for the user.
        unreadable: Why files and folders cannot be read, by path.
    """

    root: str
    files: Sequence[SourceFile]
    left_out: Mapping[str, str]
    warnings: Sequence[str] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict[str, str])


def path_of(source_key: str) -> str:
    """Return the path of a source key below the folder that was ingested."""
    return source_key.partition(ROOT_MARK)[2] or source_key.rpartition("/")[2]


def single_file(path: Path, max_bytes: int) -> SourceFiles:
    """Return a single file as a source.

    Raises:
        InvalidInput: It does not exist.
    """
    absolute = path.absolute()
    try:
        state = state_of(absolute.stat())
    except OSError as fault:
        raise InvalidInput(f"{excerpt(str(path))} cannot be read: {fault.strerror}.") from fault
    read = partial(_read_file, absolute, max_bytes)
    root = str(absolute.parent)
    key = f"{root.rstrip('/')}{ROOT_MARK}{absolute.name}"
    return SourceFiles(root, [SourceFile(key, own_id(absolute.name, read), state, _settled(read))], {})


def folder_files(root: Path, source: Source, selection: Selection, call: Call) -> SourceFiles:
    """Return the files of a folder.

    Args:
        root: The folder.
        source: Lists and reads it.
        selection: Which of its files are ingested.
        call: Checked for cancellation.
    """
    folder = str(root.absolute()).rstrip("/")
    try:
        listing = source.listing(call)
    except ConnectionFailed as error:
        return SourceFiles(folder, [], {}, unreadable={f"{excerpt(str(root))}/": error.details or error.message})
    chosen = [path for path in sorted(listing.states) if selection.has(path)]
    unmatched = dict.fromkeys(sorted({*listing.states}.difference(chosen)), "not matched by the pattern")
    files: list[SourceFile] = []
    for path in chosen:
        call.check()
        read = partial(source.read, path)
        files.append(SourceFile(f"{folder}{ROOT_MARK}{path}", own_id(path, read), listing.states[path], _settled(read)))
    return SourceFiles(
        folder, files, {**listing.left_out, **unmatched}, listing.warnings, _chosen(listing.unreadable, selection)
    )


def own_id(path: str, read: Callable[[], SourceDocument]) -> str:
    """Return the `document_id` of a Markdown file's front matter, else the file name without extension."""
    by_file = stem(path)
    if not path.lower().endswith(_MARKDOWN):
        return by_file
    try:
        head = read().data[: front_matter.LONGEST]
    except NotFound:
        return by_file
    matter = front_matter.find(head.decode("utf-8-sig", "replace"))
    named = " ".join(matter.properties.get("document_id", "").split()) if matter else ""
    return named if 0 < len(named) <= MAX_ID_CHARS else by_file


def describe(document: Document, source_key: str) -> Description:
    """Return what a library records of a document: its title, its properties, its type and when it was ingested."""
    named = replace(document, name=path_of(source_key))  # what names itself nowhere is known by its file
    title, period = own_title(named), document.properties.get(PERIOD, "") or reported_period(named)
    properties = {DOCUMENT_TYPE: document_type(named), INGESTED_AT: iso(time.time()), PERIOD: period, TITLES: ""}
    titles = possible_titles(named)
    if not title or (period and title in titles):
        # The property of a report may be the name of its form, which it begins with as others do.
        titles = tuple(dict.fromkeys(filter(None, (title, *titles))))
        title, properties[TITLES] = with_period(titles[0], period), "\n".join(titles)
    return Description(title, {**document.properties, **properties}, context_title(named, document.name))


def plan(sources: Sequence[SourceFiles], stored: Iterable[StoredDocument], *, forced: bool = False) -> Plan:
    """Return what is to be added to a library, under which ids.

    A document has its own id; files that would share one have their paths as ids, with a warning. Where two folders
    have the same path, the names of the folders are part of them. A document of the library keeps its id.

    Args:
        sources: The sources; a file in two of them is added once.
        stored: The library's documents.
        forced: Whether unchanged documents are replaced.
    """
    files = {file_of(file.key): file for source in sources for file in source.files}
    known = {file_of(document.source_key): document for document in stored}
    roots = tuple(f"{source.root.rstrip('/')}/" for source in sources)
    listed = tuple(root for root, source in zip(roots, sources, strict=True) if source.files or source.left_out)
    absence = {path: _absence(path, document, listed) for path, document in known.items() if path not in files}
    names, shared = _ids(files, {path: document for path, document in known.items() if absence.get(path) != ""})
    additions = [Addition(names[path], file.key, file.read, file.state, forced) for path, file in files.items()]
    warnings = [warning for source in sources for warning in source.warnings]
    if rivals := [f"{excerpt(own)} ({len(paths)} files)" for own, paths in shared.items()]:
        more = f", {len(rivals) - MAX_SHOWN_IDS} more" if len(rivals) > MAX_SHOWN_IDS else ""
        warnings.append(
            f"Files would share an id and have their paths as ids: {', '.join(rivals[:MAX_SHOWN_IDS])}{more}."
        )
    taken = {names[path] for path in files}
    absent = [
        (known[path], reason)
        for path, reason in absence.items()
        if path.startswith(roots) and known[path].name not in taken
    ]
    vanished = {document.name: document.source_key for document, reason in absent if reason == ""}
    unreadable = (problem for source in sources for problem in source.unreadable.items())
    failures = {
        path_of(document.source_key): f"It is kept as added: {reason}." for document, reason in absent if reason
    }
    failures |= {path: f"It cannot be read: {reason}." for path, reason in unreadable}
    left_out = {path: reason for source in sources for path, reason in source.left_out.items()}
    return Plan(additions, vanished, left_out, warnings, failures)


def _absence(path: str, document: StoredDocument, listed: tuple[str, ...]) -> str | None:
    """Return what `unseen` does; a document of a folder that has files is gone with the last of its sub-folder."""
    added = document.properties.get(INGESTED_AT) if path.startswith(listed) else None
    return unseen(path, datetime.fromisoformat(added).timestamp()) if added else unseen(path)


def _ids(
    files: Mapping[str, SourceFile], stored: Mapping[str, StoredDocument]
) -> tuple[Mapping[str, str], Mapping[str, Sequence[str]]]:
    """Return the ids of files and stored documents by path, and the paths that are ids, by the id that is shared."""
    names = {path: document.name for path, document in stored.items()}
    rivals: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for path, document in stored.items():
        if path not in files:
            rivals[_own_id_of(document)][path] = path_of(document.source_key)
    for path, file in files.items():
        is_path = path.endswith(f"/{names.get(path, '')}") and file.own_id == stem(path)
        if not is_path and names.get(path) != file.own_id:
            names.pop(path, None)
        rivals[file.own_id][path] = names[path] if is_path else file.path
    shared = {own: _distinct(claims) for own, claims in rivals.items() if len(claims) > 1}
    for path, file in files.items():
        names.setdefault(path, shared.get(file.own_id, {}).get(path, file.own_id))
    return names, {
        own: [names[path] for path in claims if names[path] != own]
        for own, claims in shared.items()
        if not files.keys().isdisjoint(claims)
    }


def _distinct(paths: Mapping[str, str]) -> dict[str, str]:
    """Return the relative paths of files, with as many folders before them as tell them apart.

    Args:
        paths: Path below the ingested folder by whole path.
    """
    distinct = dict(paths)
    while repeated := {path for path, count in Counter(distinct.values()).items() if count > 1}:
        for whole_path, path in distinct.items():
            if path in repeated:
                folder = whole_path.removesuffix(path).rstrip("/").rpartition("/")[2]
                distinct[whole_path] = f"{folder}/{path}"
    return distinct


def same_contents(
    documents: Iterable[StoredDocument], names: Iterable[str], text_of: Callable[[StoredDocument], str]
) -> Iterator[str]:
    """Yield a warning for each content that several documents have, of which one is among these names.

    The content is the text, whatever format, line ends and spaces it was written with.
    """
    added = set(names)
    by_chunks: defaultdict[int, list[StoredDocument]] = defaultdict(list)
    for document in documents:
        if not document.failure:
            by_chunks[document.chunk_count].append(document)
    for similar in by_chunks.values():
        if len(similar) < 2 or added.isdisjoint(document.name for document in similar):  # noqa: PLR2004 - a pair
            continue
        by_text: defaultdict[bytes, list[str]] = defaultdict(list)
        for document in similar:
            by_text[text_hash(" ".join(text_of(document).split()))].append(document.name)
        for group in by_text.values():
            if len(group) > 1 and not added.isdisjoint(group):
                yield f"The same content is in {len(group)} documents: {excerpts(group)}."


def file_of(source_key: str) -> str:
    """Return the path of a file, whichever folder it was ingested with."""
    return source_key.replace(ROOT_MARK, "/", 1)


def _own_id_of(document: StoredDocument) -> str:
    """Return the id that a document would have if no other file had it."""
    path = path_of(document.source_key)
    return stem(path) if f"/{document.name}".endswith(f"/{path}") else document.name


def _chosen(unreadable: Mapping[str, str], selection: Selection) -> Mapping[str, str]:
    """Return the files among them that are chosen, and the folders in which such files may be."""
    return {
        path: reason
        for path, reason in unreadable.items()
        if (selection.recursive if path.endswith("/") else selection.has(path))
    }


def _read_file(path: Path, max_bytes: int) -> SourceDocument:
    try:
        content = read_regular(str(path), max_bytes)
    except OSError as fault:
        raise NotFound(f"It cannot be read: {fault.strerror}.") from fault
    if content is None:
        raise NotFound("It is no regular file, is too large, or changes while it is read.")
    data, state = content
    return SourceDocument(data, state, state.mtime_ns, is_settled=not is_racy(state, time.time_ns()))


def _settled(read: Callable[[], SourceDocument]) -> Callable[[], SourceDocument]:
    """Return a reader that waits until a later change of the file would show in its state."""

    def settled() -> SourceDocument:
        for _ in range(MAX_SETTLINGS):
            document = read()
            if document.is_settled or not isinstance(document.state, FileState):
                return document
            time.sleep(SETTLING_SECONDS)
        return read()

    return settled
