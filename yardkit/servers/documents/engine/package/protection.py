"""Protection of a document against editing (ECMA-376 part 1, 17.15.1.29), with the password hash that Word checks."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any, Literal

from yardkit.servers.documents.engine.markup.names import insert_child, make_element, qualify_name
from yardkit.servers.documents.engine.package.document import Document
from yardkit.world import Problem

Mode = Literal["read_only", "comments", "tracked_changes", "forms"]
Operation = Literal["edit", "comment", "fill", "settle"]
_ALLOWED_ACTIONS: dict[Mode, tuple[Operation, ...]] = {
    "read_only": (),
    "comments": ("comment",),
    "tracked_changes": ("edit", "comment", "fill"),
    "forms": ("fill",),
}
_EDIT_RESTRICTIONS: dict[Mode, str] = {
    "read_only": "readOnly",
    "comments": "comments",
    "tracked_changes": "trackedChanges",
    "forms": "forms",
}
_SPINS = 100_000
_SHA512 = "14"
_HASH_ALGORITHMS = {"4": "sha1", "12": "sha256", "13": "sha384", "14": "sha512"}
_ALGORITHM_NAMES = {"SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}
# The key of Word 97 (MS-OFFCRYPTO 2.3.7.2): Word hashes it in place of the password.
_INITIAL = (
    *(0xE1F0, 0x1D0F, 0xCC9C, 0x84C0, 0x110C, 0x0E10, 0xF1CE, 0x313E),
    *(0x1872, 0xE139, 0xD40F, 0x84F9, 0x280C, 0xA96A, 0x4EC3),
)
_MATRIX = (
    (0xAEFC, 0x4DD9, 0x9BB2, 0x2745, 0x4E8A, 0x9D14, 0x2A09),
    (0x7B61, 0xF6C2, 0xFDA5, 0xEB6B, 0xC6F7, 0x9DCF, 0x2BBF),
    (0x4563, 0x8AC6, 0x05AD, 0x0B5A, 0x16B4, 0x2D68, 0x5AD0),
    (0x0375, 0x06EA, 0x0DD4, 0x1BA8, 0x3750, 0x6EA0, 0xDD40),
    (0xD849, 0xA0B3, 0x5147, 0xA28E, 0x553D, 0xAA7A, 0x44D5),
    (0x6F45, 0xDE8A, 0xAD35, 0x4A4B, 0x9496, 0x390D, 0x721A),
    (0xEB23, 0xC667, 0x9CEF, 0x29FF, 0x53FE, 0xA7FC, 0x5FD9),
    (0x47D3, 0x8FA6, 0x0F6D, 0x1EDA, 0x3DB4, 0x7B68, 0xF6D0),
    (0xB861, 0x60E3, 0xC1C6, 0x93AD, 0x377B, 0x6EF6, 0xDDEC),
    (0x45A0, 0x8B40, 0x06A1, 0x0D42, 0x1A84, 0x3508, 0x6A10),
    (0xAA51, 0x4483, 0x8906, 0x022D, 0x045A, 0x08B4, 0x1168),
    (0x76B4, 0xED68, 0xCAF1, 0x85C3, 0x1BA7, 0x374E, 0x6E9C),
    (0x3730, 0x6E60, 0xDCC0, 0xA9A1, 0x4363, 0x86C6, 0x1DAD),
    (0x3331, 0x6662, 0xCCC4, 0x89A9, 0x0373, 0x06E6, 0x0DCC),
    (0x1021, 0x2042, 0x4084, 0x8108, 0x1231, 0x2462, 0x48C4),
)


def read_protection(document: Document) -> Mode | None:
    """How the document is protected, None if it is not."""
    return next((mode for mode, word in _EDIT_RESTRICTIONS.items() if word == document.protection), None)


def protection_notes(document: Document, doing: Operation = "edit") -> list[str]:
    """What to tell of an edit that Word would not have let through, one line or none."""
    mode = read_protection(document)
    if mode is None or doing in _ALLOWED_ACTIONS[mode]:
        return []
    until = "Word prevents this until protect_document removes it"
    return [f"the document is protected ({mode}): {until}; it was done all the same"]


def protect_document(document: Document, mode: Mode, password: str = "") -> None:
    """Let a document be edited only as `mode` says; with a password Word asks for it before it lifts that.

    Where only tracked edits may be done, tracking is turned on too.

    Raises:
        Problem: it is protected already; lift that first.
    """
    if read_protection(document) is not None:
        raise Problem(f"the document is already protected ({read_protection(document)}); remove the protection first")
    node = make_element("w:documentProtection", edit=_EDIT_RESTRICTIONS[mode], enforcement=1)
    if password:
        salt = hashlib.sha256(b"salt" + document.package.read(document.main)).digest()[:16]
        known = {
            "cryptProviderType": "rsaAES",
            "cryptAlgorithmClass": "hash",
            "cryptAlgorithmType": "typeAny",
            "cryptAlgorithmSid": _SHA512,
            "cryptSpinCount": str(_SPINS),
            "hash": _compute_hash(password, salt, _SPINS, "sha512"),
            "salt": base64.b64encode(salt).decode(),
        }
        for name, value in known.items():
            node.set(qualify_name(f"w:{name}"), value)
    insert_child(document.settings, node)
    if mode == "tracked_changes":
        insert_child(document.settings, make_element("w:trackRevisions"))


def unprotect_document(document: Document, password: str = "") -> None:
    """Lift the protection.

    Raises:
        Problem: there is none, or it has another password.
    """
    node = _find_node(document)
    if node is None or read_protection(document) is None:
        raise Problem("the document is not protected; nothing was changed")
    if not _matches_password(node, password):
        given = "the password is wrong" if password else "it needs the password with which it was protected"
        raise Problem(f"the protection cannot be removed: {given}")
    node.getparent().remove(node)


def legacy_key(password: str) -> str:
    """The key of Word 97 of a password, eight hexadecimal digits, lowest byte first."""
    letters = [code & 0xFF or code >> 8 for code in map(ord, password[:15])]
    if not letters:
        return "00000000"
    high = _INITIAL[len(letters) - 1]
    for letter, row in zip(letters, _MATRIX[-len(letters) :], strict=True):
        for bit in range(7):
            if letter >> bit & 1:
                high ^= row[bit]
    low = 0
    for letter in [*reversed(letters), len(letters)]:
        low = ((low >> 14 & 1) | (low << 1 & 0x7FFF)) ^ letter
    return ((high << 16) | (low ^ 0xCE4B)).to_bytes(4, "little").hex().upper()


def _compute_hash(password: str, salt: bytes, spins: int, algorithm: str) -> str:
    digest = hashlib.new(algorithm, salt + legacy_key(password).encode("utf-16-le")).digest()
    for number in range(spins):
        digest = hashlib.new(algorithm, digest + number.to_bytes(4, "little")).digest()
    return base64.b64encode(digest).decode()


def _matches_password(node: Any, password: str) -> bool:
    stored = node.get(qualify_name("w:hash")) or node.get(qualify_name("w:hashValue"))
    if not stored:
        return True
    sid, name = node.get(qualify_name("w:cryptAlgorithmSid"), ""), node.get(qualify_name("w:algorithmName"), "")
    algorithm = _HASH_ALGORITHMS.get(sid) or _ALGORITHM_NAMES.get(name)
    spins = node.get(qualify_name("w:cryptSpinCount")) or node.get(qualify_name("w:spinCount")) or "0"
    if algorithm is None or not spins.isdigit() or int(spins) > 10_000_000:
        raise Problem("the protection has a password in a form that cannot be checked; remove it in Word")
    salt = base64.b64decode(node.get(qualify_name("w:salt")) or node.get(qualify_name("w:saltValue")) or "")
    return hmac.compare_digest(_compute_hash(password, salt, int(spins), algorithm), stored)


def _find_node(document: Document) -> Any:
    part = document.part("settings")
    return None if part is None else document.root(part).find(qualify_name("w:documentProtection"))
