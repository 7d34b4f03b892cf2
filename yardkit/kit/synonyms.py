"""Other names by which models call our arguments: accepted but not listed.

A model that knows other tools, or an earlier version of these, may use ``output_path`` for our ``target``. The meaning
is the same, and an error would cost it a call.
"""

from typing import Any

_SYNONYMS = {
    "after": ("other",),
    "allowed": ("allow",),
    "anchor": ("vertical", "place"),
    "at": ("position", "substitute"),
    "before": ("path",),
    "box_pt": ("box",),
    "changes": ("edits",),
    "colors": ("theme_colors",),
    "columns": ("per_row",),
    "csv_path": ("source",),
    "data": ("source",),
    "data_path": ("source",),
    "file": ("path",),
    "file_path": ("path",),
    "filename": ("path",),
    "find": ("query",),
    "font_name": ("font",),
    "font_size": ("size_pt",),
    "font_size_pt": ("size_pt",),
    "footer": ("page_footer",),
    "form": ("format",),
    "header": ("page_header",),
    "html": ("with_html",),
    "image_path": ("image", "target"),
    "labels": ("data_labels",),
    "look": ("compare",),
    "match": ("find",),
    "notes": ("annotations", "with_notes"),
    "operations": ("edits",),
    "ops": ("edits",),
    "other": ("second",),
    "other_path": ("other",),
    "output": ("target",),
    "output_path": ("target",),
    "page_size": ("paper",),
    "pattern": ("query",),
    "pdf_path": ("target",),
    "redline": ("target",),
    "samples": ("points",),
    "save_as": ("target",),
    "save_csv_as": ("target",),
    "scale": ("scale_shapes",),
    "search": ("query",),
    "show": ("format", "picture", "unhide", "lists"),
    "source_path": ("source",),
    "start": ("section_start", "anchor"),
    "target": ("path",),
    "target_dir": ("folder",),
    "target_path": ("target",),
    "template_path": ("template",),
    "text": ("query",),
    "to": ("position",),
    "values": ("properties",),
    "variables": ("values",),
    "whole_word": ("whole_words",),
    "zoom": ("factor",),
}
"""Theirs -> ours, tried in order."""


def by_our_words(arguments: dict[str, Any], names: dict[str, None]) -> dict[str, Any]:
    """Rename arguments to the tool's `names`: an unknown name is replaced by its synonym, unless that is given, too."""
    ours = dict(arguments)
    for name in [name for name in arguments if name not in names]:
        word = next((word for word in _SYNONYMS.get(name, ()) if word in names and word not in ours), None)
        if word is not None:
            ours[word] = ours.pop(name)
    return ours
