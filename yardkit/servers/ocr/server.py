"""MCP surface of the OCR server."""

import os
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import FileRef, make_server, tool
from yardkit.models.service import ServiceChoice
from yardkit.servers.ocr import engine
from yardkit.servers.ocr.backends import BackendChoice
from yardkit.servers.ocr.engine import results, video_text
from yardkit.servers.ocr.engine.transcripts import Transcript, transcribe_image_file
from yardkit.servers.ocr.engine.video_text import VideoText
from yardkit.world import InFile, OutFile, Problem

mcp = make_server(
    "ocr",
    "Reads text in images (PNG, JPEG, WEBP, TIFF, BMP, GIF, AVIF, HEIC) and in videos: lines, words, tables. "
    "Boxes are [x_min, y_min, x_max, y_max] in pixels of the image as displayed, origin top left.",
)

Image = Annotated[InFile, Field(description="Image file, relative to the workspace.")]
Region = Annotated[
    list[int] | None,
    Field(description="Area to read: [x_min, y_min, x_max, y_max] in pixels.", min_length=4, max_length=4),
]
Languages = Annotated[
    list[str] | None,
    Field(
        description="Codes such as 'en', 'de', 'ja', 'zh-Hans', 'ru'. By default the backend's choice (rapidocr "
        "reads Latin, Chinese and Japanese scripts; tesseract English).",
        max_length=10,
    ),
]
Page = Annotated[int, Field(description="Page of a TIFF, or frame of a moving picture, from 1.", ge=1, le=10_000)]
Backend = Annotated[
    Literal["auto", "rapidocr", "tesseract"], Field(description="Recogniser; auto uses the first that can read it.")
]
Zoom = Annotated[
    float | None,
    Field(
        description="Scale the image by this factor before reading; by default small text is enlarged.", ge=0.25, le=8
    ),
]


@tool(mcp, looks_at=["path"])
def read_image_text(
    path: Image,
    level: Annotated[Literal["lines", "words"], Field(description="Unit of the result.")] = "lines",
    bbox_px: Region = None,
    languages: Languages = None,
    backend: Backend = "auto",
    factor: Zoom = None,
    min_confidence: Annotated[float, Field(description="Omit items below this confidence.", ge=0, le=1)] = 0.0,
    offset: Annotated[int, Field(description="Number of items to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Maximum number of items.", ge=1, le=500)] = 300,
    page: Page = 1,
) -> results.ImageText:
    """Read the text of an image in reading order (columns, rows) with boxes and confidence; finds rotation and skew."""
    return engine.read_text(
        path,
        level=level,
        backend=_resolve_backend(backend),
        languages=languages,
        bbox_px=bbox_px,
        zoom=factor,
        min_confidence=min_confidence,
        offset=offset,
        limit=limit,
        number=page,
    )


@tool(mcp, looks_at=["path"])
def read_image_table(
    path: Image,
    bbox_px: Region = None,
    languages: Languages = None,
    backend: Backend = "auto",
    factor: Zoom = None,
    page: Page = 1,
) -> results.ImageTable:
    """Read a table in an image as rows of cells, by its ruled lines or by aligned text."""
    return engine.read_table(
        path,
        backend=_resolve_backend(backend),
        languages=languages,
        bbox_px=bbox_px,
        zoom=factor,
        number=page,
    )


@tool(mcp, writes=True, destructive=True, looks_at=["path"])
def save_image_table(
    path: Image,
    target: Annotated[OutFile, Field(description="CSV file to write.")],
    bbox_px: Region = None,
    languages: Languages = None,
    backend: Backend = "auto",
    factor: Zoom = None,
    page: Page = 1,
) -> results.ImageTable:
    """Save a table in an image as CSV; reads it as read_image_table does."""
    if target == path:
        raise Problem(f"target {path.name!r} is the image itself; use another file name")
    table = engine.read_table(
        path,
        backend=_resolve_backend(backend),
        languages=languages,
        bbox_px=bbox_px,
        zoom=factor,
        number=page,
    )
    engine.save_table(table, target)
    return replace(table, saved=FileRef.from_path(target))


@tool(mcp, looks_at=["path"])
def find_image_text(
    path: Image,
    query: Annotated[str, Field(description="Text to find, within one row.", min_length=1, max_length=200)],
    min_similarity: Annotated[
        float, Field(description="1 = equal (ignoring case and spaces); lower values allow errors.", ge=0.3, le=1)
    ] = 0.8,
    bbox_px: Region = None,
    languages: Languages = None,
    backend: Backend = "auto",
    limit: Annotated[int, Field(description="Maximum number of matches.", ge=1, le=200)] = 20,
    page: Page = 1,
) -> results.TextMatches:
    """Find a text in an image: boxes of all matches, best match first."""
    return engine.find_text(
        path,
        query,
        min_similarity=min_similarity,
        backend=_resolve_backend(backend),
        languages=languages,
        bbox_px=bbox_px,
        limit=limit,
        number=page,
    )


@tool(mcp)
def read_video_text(
    path: Annotated[InFile, Field(description="Video (MP4, MOV, MKV, WebM, AVI, GIF), relative to the workspace.")],
    every_s: Annotated[
        float, Field(description="Interval between frames in seconds; 0 reads every frame.", ge=0, le=3600)
    ] = 1.0,
    start_s: Annotated[float, Field(description="Start, in seconds.", ge=0, le=360_000)] = 0.0,
    end_s: Annotated[
        float | None, Field(description="End, in seconds; by default the end of the video.", ge=0, le=360_000)
    ] = None,
    languages: Languages = None,
    backend: Backend = "auto",
    min_confidence: Annotated[float, Field(description="Omit lines below this confidence.", ge=0, le=1)] = 0.5,
    limit: Annotated[int, Field(description="Maximum number of frames per call.", ge=1, le=300)] = 60,
) -> VideoText:
    """Read the text in a video: each text once, with the times it is shown and boxes."""
    return video_text.read_video_text(
        path,
        every_s=every_s,
        start_s=start_s,
        end_s=end_s,
        languages=languages,
        min_confidence=min_confidence,
        limit=limit,
        backend=_resolve_backend(backend),
    )


@tool(mcp, looks_at=["path"])
def transcribe_image(
    path: Image,
    bbox_px: Region = None,
    backend: Annotated[
        ServiceChoice, Field(description="Kind of model: endpoint or local; auto uses the configured one.")
    ] = "auto",
    page: Page = 1,
) -> Transcript:
    """Transcribe an image with a model, as plain text without boxes: handwriting, unusual layouts, rare scripts."""
    return transcribe_image_file(path, bbox_px, backend, page)


@tool(mcp)
def list_ocr_languages() -> results.OcrLanguages:
    """List the recognisers, the languages that each can read here, and how to add others."""
    return engine.list_languages()


_BACKENDS: dict[str, BackendChoice] = {"auto": "auto", "rapidocr": "rapidocr", "tesseract": "tesseract"}


def _resolve_backend(asked: BackendChoice) -> BackendChoice:
    """With auto, the setting YARDKIT_OCR_BACKEND (auto, rapidocr or tesseract) decides."""
    if asked != "auto":
        return asked
    setting = os.environ.get("YARDKIT_OCR_BACKEND", "auto")
    if setting in _BACKENDS:
        return _BACKENDS[setting]
    raise Problem(f"YARDKIT_OCR_BACKEND={setting!r} is not valid; set it to auto, rapidocr or tesseract")
