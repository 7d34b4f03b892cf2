"""Encryption (AES-256), metadata, attachments."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, warnings_of
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

PRELOAD = ("pikepdf", "pikepdf.models.metadata")
Permission = Literal["print", "copy", "change", "annotate", "fill_forms", "assemble"]
_INFO_KEYS = {
    "title": "/Title",
    "author": "/Author",
    "subject": "/Subject",
    "keywords": "/Keywords",
    "creator": "/Creator",
    "producer": "/Producer",
}
_XMP_NAMES = {
    "title": "dc:title",
    "author": "dc:creator",
    "subject": "dc:description",
    "keywords": "pdf:Keywords",
    "creator": "xmp:CreatorTool",
    "producer": "pdf:Producer",
}


def encrypt_pdf(
    source: Path, target: Path, password: str, user_password: str, owner_password: str, allow: list[Permission]
) -> list[str]:
    """Encrypt with AES-256; with a user password the file opens only with it, `allow` binds whoever lacks the owner's.

    Raises:
        Problem: the file cannot be read, or both passwords are empty.
    """
    import pikepdf

    if not user_password and not owner_password:
        raise Problem("give new_password (needed to open) or owner_password (needed to change permissions), or both")
    allowed = set(allow)
    permissions = pikepdf.Permissions(
        accessibility=True,
        extract="copy" in allowed,
        modify_annotation="annotate" in allowed,
        modify_assembly="assemble" in allowed,
        modify_form="fill_forms" in allowed,
        modify_other="change" in allowed,
        print_lowres="print" in allowed,
        print_highres="print" in allowed,
    )
    with open_pdf(source, password, strict=True) as pdf:
        _require_owner(pdf, "encrypting it again")
        warnings = warnings_of(pdf)
        protection = pikepdf.Encryption(
            user=user_password, owner=owner_password or user_password, R=6, allow=permissions
        )
        save_pdf(pdf, target, encryption=protection)
    with open_pdf(target, owner_password or user_password) as pdf:
        if not pdf.is_encrypted or pdf.encryption.R != 6:
            raise Problem("the saved file is not encrypted as asked; nothing was changed")
    return warnings


def decrypt_pdf(source: Path, target: Path, password: str) -> list[str]:
    """Save without encryption.

    Raises:
        Problem: the file cannot be read, is not encrypted, or the password is the user's and forbids it.
    """
    with open_pdf(source, password, strict=True) as pdf:
        if not pdf.is_encrypted:
            raise Problem(f"{source.name!r} is not encrypted; there is nothing to remove")
        _require_owner(pdf, "removing the protection")
        warnings = warnings_of(pdf)
        save_pdf(pdf, target, encryption=False)
    return warnings


def _require_owner(pdf: Any, what: str) -> None:
    if pdf.is_encrypted and not pdf.owner_password_matched:
        raise Problem(f"{what} needs the owner's rights; pass the owner's `password`, not the user's")


@dataclass(frozen=True)
class Described:
    """What the saved file states about itself."""

    metadata: dict[str, str]
    warnings: list[str] = field(default_factory=list)


def describe_pdf(
    source: Path, target: Path, password: str, values: dict[str, str], language: str | None, scrub: bool, now: datetime
) -> Described:
    """Set title, author ... in both places where a PDF keeps them; or first remove all that tells of its making.

    Raises:
        Problem: the file cannot be read, or a key is unknown.
    """
    unknown = sorted(set(values) - set(_INFO_KEYS))
    if unknown:
        raise Problem(f"{', '.join(unknown)} is not valid metadata; use {', '.join(_INFO_KEYS)}")
    with open_pdf(source, password, strict=True) as pdf:
        warnings = warnings_of(pdf)
        if scrub:
            _scrub_metadata(pdf)
        if values:
            _set_values(pdf, values, now)
        if language is not None:
            pdf.Root.Lang = language
        save_pdf(pdf, target)
    with open_pdf(target, password) as pdf:
        info = pdf.docinfo if "/Info" in pdf.trailer else {}
        info_values = {str(key)[1:]: str(value) for key, value in info.items()}
        if language and "/Lang" in pdf.Root:
            info_values["Language"] = str(pdf.Root.Lang)
        missing = [key for key, value in values.items() if value and info_values.get(_INFO_KEYS[key][1:]) != value]
        if missing:
            raise Problem(f"{', '.join(missing)} could not be read back from the saved file; nothing was changed")
    return Described(info_values, warnings)


def _scrub_metadata(pdf: Any) -> None:
    """Remove the document information, XMP of every object, private data of programs, thumbnails and identifiers."""
    if "/Info" in pdf.trailer:
        del pdf.trailer["/Info"]
    for thing in pdf.objects:
        _scrub_object(thing)
    if "/ID" in pdf.trailer:
        del pdf.trailer["/ID"]


def _scrub_object(pdf_object: Any) -> None:
    import pikepdf

    if isinstance(pdf_object, pikepdf.Dictionary | pikepdf.Stream):
        for key in ("/Metadata", "/PieceInfo", "/Thumb", "/LastModified"):
            if key in pdf_object:
                del pdf_object[key]


def _set_values(pdf: Any, values: dict[str, str], now: datetime) -> None:
    for key, value in values.items():
        if value:
            pdf.docinfo[_INFO_KEYS[key]] = value
        elif _INFO_KEYS[key] in pdf.docinfo:
            del pdf.docinfo[_INFO_KEYS[key]]
    pdf.docinfo["/ModDate"] = now.strftime("D:%Y%m%d%H%M%S+00'00'")
    if "/Metadata" not in pdf.Root:
        return
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False, strict=False) as meta:
        for key, value in values.items():
            if value:
                meta[_XMP_NAMES[key]] = [value] if key == "author" else value
            elif _XMP_NAMES[key] in meta:
                del meta[_XMP_NAMES[key]]
        meta["xmp:ModifyDate"] = now.isoformat()


def attach_files(
    source: Path,
    target: Path,
    password: str,
    files: list[Path],
    descriptions: list[str],
    delete: list[str],
    now: datetime,
) -> tuple[list[str], list[str]]:
    """Add files (replacing those of the same name) and delete others by name; the names that it holds then, warnings.

    Raises:
        Problem: the file cannot be read, or a name to delete is not there.
    """
    import mimetypes

    import pikepdf

    with open_pdf(source, password, strict=True) as pdf:
        warnings = warnings_of(pdf)
        for name in delete:
            if name not in pdf.attachments:
                attachment_names = ", ".join(map(repr, pdf.attachments.keys())) or "none"
                raise Problem(f"the attachment {name!r} does not exist; the file has {attachment_names}")
            del pdf.attachments[name]
        for number, file in enumerate(files):
            check_bytes(file)
            date = now.strftime("D:%Y%m%d%H%M%S+00'00'")
            pdf.attachments[file.name] = pikepdf.AttachedFileSpec(
                pdf,
                file.read_bytes(),
                filename=file.name,
                creation_date=date,
                mod_date=date,
                description=descriptions[number] if number < len(descriptions) else "",
                mime_type=mimetypes.guess_type(file.name)[0] or "application/octet-stream",
            )
        save_pdf(pdf, target)
    with open_pdf(target, password) as pdf:
        names = list(pdf.attachments.keys())
        for file in files:
            if pdf.attachments[file.name].get_file().read_bytes() != file.read_bytes():
                raise Problem(f"{file.name!r} could not be read back from the saved file; nothing was changed")
    return names, warnings
