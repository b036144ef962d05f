"""How documents are read: recognition of text (OCR), and the processes that read, with their limits."""

from typing import Annotated

from pydantic import AfterValidator, Field

from pincite import registry
from pincite.settings.base import FiniteSeconds, Megabytes, Section


def _recogniser(value: str) -> str:
    """Refuse an engine of text recognition that is not in the registry."""
    names = ["auto", *(row.name for row in registry.RECOGNISERS), "off"]
    if value not in names:
        raise ValueError(f"unknown engine of text recognition; write {', '.join(names)}, or unset it")
    return value


class Ocr(Section):
    """Recognition of the text in scans and pictures (OCR), in a worker process of its own."""

    engine: Annotated[str, AfterValidator(_recogniser)] = Field(
        "auto",
        validation_alias="PINCITE_OCR",
        description="`auto` (rapidocr, if `pip install 'pincite[ocr]'` was run), rapidocr, tesseract (its program must "
        "be installed) or off.",
    )
    languages: str = Field(
        "eng",
        pattern=r"^[A-Za-z_]+(\+[A-Za-z_]+)*$",
        validation_alias="PINCITE_OCR_LANGUAGES",
        description="Languages of Tesseract, as `eng+deu`; rapidocr reads Latin scripts and Chinese without it.",
    )
    pages: int = Field(
        100,
        ge=1,
        validation_alias="PINCITE_OCR_PAGES",
        description="Maximum number of pages of a file that are recognised; `coverage` reports the rest.",
    )
    pictures: int = Field(
        20,
        ge=0,
        validation_alias="PINCITE_OCR_PICTURES",
        description="Maximum number of pictures inside the pages of a DOCX, PPTX or PDF file that are recognised; "
        "`coverage` reports the rest. 0 leaves them unread.",
    )
    min_picture_pixels: int = Field(
        10_000,
        ge=1,
        validation_alias="PINCITE_OCR_MIN_PICTURE",
        description="Minimum number of pixels of such a picture; smaller ones are taken for icons.",
    )
    timeout: FiniteSeconds = Field(
        60.0,
        gt=0,
        validation_alias="PINCITE_OCR_TIMEOUT",
        description="Timeout for recognising a page or picture, in seconds; it takes 1 to 3 s on a quiet machine.",
    )
    memory: Megabytes = Field(
        3000.0,
        ge=1600,
        validation_alias="PINCITE_OCR_MEMORY",
        description="Maximum memory of the worker process in MB; a page takes up to 1,500.",
    )
    threads: int = Field(
        2,
        ge=1,
        le=64,
        validation_alias="PINCITE_OCR_THREADS",
        description="Number of threads that recognise a page.",
    )


class Readers(Section):
    """The worker processes that read every format but Markdown and text."""

    processes: int = Field(
        2,
        ge=1,
        le=64,
        validation_alias="PINCITE_READERS",
        description="Maximum number of worker processes; each starts at first need.",
    )
    timeout: FiniteSeconds = Field(
        10.0,
        gt=0,
        validation_alias="PINCITE_READER_TIMEOUT",
        description="Timeout for reading a file, in seconds of the processor, or without any progress.",
    )
    wall_factor: float = Field(
        10.0,
        ge=1,
        le=1000,
        validation_alias="PINCITE_READER_WALL_FACTOR",
        description="Maximum wall time for reading a file, as a multiple of that timeout.",
    )
    timeout_per_mb: FiniteSeconds = Field(
        1.0,
        validation_alias="PINCITE_READER_TIMEOUT_PER_MB",
        description="Seconds added to that timeout for every MB of the file.",
    )
    timeout_per_page: FiniteSeconds = Field(
        1.0,
        validation_alias="PINCITE_READER_TIMEOUT_PER_PAGE",
        description="Seconds added to that timeout for every page read.",
    )
    memory: Megabytes = Field(
        1536.0,
        ge=256,
        validation_alias="PINCITE_READER_MEMORY",
        description="Maximum memory of a worker process in MB; a file that needs more fails.",
    )
    result: Megabytes = Field(
        500.0,
        ge=1,
        validation_alias="PINCITE_READER_RESULT",
        description="Maximum size of the text and structure read from one file, in MB.",
    )
    idle: FiniteSeconds = Field(
        60.0,
        ge=1,
        validation_alias="PINCITE_READER_IDLE",
        description="Seconds of idleness after which a worker process exits.",
    )
    files: int = Field(
        200,
        ge=1,
        validation_alias="PINCITE_READER_FILES",
        description="Number of files after which a worker process is replaced.",
    )
    max_pages: int = Field(
        5000,
        ge=1,
        validation_alias="PINCITE_MAX_PAGES",
        description="Maximum number of pages or slides read from a file; `coverage` reports the rest.",
    )
    max_blocks: int = Field(
        100_000,
        ge=1,
        validation_alias="PINCITE_MAX_BLOCKS",
        description="Maximum number of blocks (paragraphs, headings, tables …) of a page; the rest becomes one block.",
    )
    max_pixels: int = Field(
        100_000_000,
        ge=1,
        validation_alias="PINCITE_MAX_PIXELS",
        description="Maximum number of pixels of an image; a larger one is refused.",
    )
    attachments: int = Field(
        100,
        ge=0,
        validation_alias="PINCITE_ATTACHMENTS",
        description="Maximum number of files attached to an e-mail that are read; `coverage` names the others.",
    )
    attachment: Megabytes = Field(
        50.0,
        validation_alias="PINCITE_ATTACHMENT",
        description="Maximum size of such a file in MB; `coverage` names larger ones.",
    )
    attachment_depth: int = Field(
        5,
        ge=0,
        le=20,
        validation_alias="PINCITE_ATTACHMENT_DEPTH",
        description="Maximum levels of messages that are attached to messages.",
    )
