"""What the owner of an encrypted file permits those without the owner's password (ISO 32000-1, table 22)."""

from __future__ import annotations

from typing import Any, Literal

from yardkit.world import Problem

PERMISSIONS = {
    "print_highres": "print",
    "print_lowres": "print in low resolution",
    "extract": "copy",
    "modify_other": "change",
    "modify_assembly": "assemble",
    "modify_annotation": "annotate",
    "modify_form": "fill forms",
    "accessibility": "accessibility",
}
Right = Literal["change", "assemble", "annotate", "fill forms"]
_GIVEN_BY: dict[Right, tuple[str, ...]] = {
    "change": ("modify_other",),
    "assemble": ("modify_assembly", "modify_other"),
    "annotate": ("modify_annotation",),
    "fill forms": ("modify_form", "modify_annotation"),
}
"""Each of these permissions alone gives the right."""


def list_denied(pdf: Any) -> list[str]:
    """What the owner does not permit."""
    return [
        permission_text
        for name, permission_text in PERMISSIONS.items()
        if pdf.is_encrypted and not getattr(pdf.allow, name)
    ]


def _is_bound(pdf: Any) -> bool:
    return bool(pdf.is_encrypted and not pdf.owner_password_matched)


def list_overridden(pdf: Any, right: Right) -> list[str]:
    """What to say of a change that the owner denies to whoever opened the file."""
    if not _is_bound(pdf) or any(getattr(pdf.allow, name) for name in _GIVEN_BY[right]):
        return []
    return [f"the owner of the file denies others to {right} (it was opened without the owner's password)"]


def taken_out(pdf: Any, name: str) -> list[str]:
    """What to say of pages that go from a file into another one, which its encryption does not protect.

    Raises:
        Problem: the owner denies copying or assembling, and the password is the user's.
    """
    if not pdf.is_encrypted:
        return []
    denied_rights = list_denied(pdf)
    against = [text for text in ("copy", "assemble") if text in denied_rights]
    if _is_bound(pdf) and against:
        raise Problem(
            f"only the owner may copy pages of {name!r} into another file, since others may not "
            f"{' and '.join(against)}; pass the owner's `password`, not the user's"
        )
    bound = f", and what its owner denies ({', '.join(denied_rights)}) is not denied there" if denied_rights else ""
    return [f"{name}: the file is encrypted, what was made of its pages is not{bound}; rewrite_pdf encrypts it"]
