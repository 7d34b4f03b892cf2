"""What stands on a page beside its text: values of fields, and comments."""

from __future__ import annotations

from typing import Any


def has_unread_text(document: Any, page: Any) -> bool:
    """Whether a page has comments, or fields that hold text."""
    import pypdfium2.raw as raw

    env = document.formenv.raw if document.formenv else None
    for at in range(raw.FPDFPage_GetAnnotCount(page.raw)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, at)
        try:
            if annotation and _has_text(annotation, env):
                return True
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return False


def _has_text(annotation: Any, env: Any) -> bool:
    import pypdfium2.raw as raw

    kind = raw.FPDFAnnot_GetSubtype(annotation)
    if kind != raw.FPDF_ANNOT_WIDGET:
        is_textual = kind not in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)
        return is_textual and _measure_length(raw.FPDFAnnot_GetStringValue, annotation, b"Contents") > 0
    texts = (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
    if env is None or raw.FPDFAnnot_GetFormFieldType(env, annotation) not in texts:
        return False
    return _measure_length(raw.FPDFAnnot_GetFormFieldValue, env, annotation) > 0


def _measure_length(function: Any, *args: Any) -> int:
    """Characters of what a function of PDFium would write, without the end that it adds."""
    return int(function(*args, None, 0)) // 2 - 1
