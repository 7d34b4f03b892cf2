"""A zip package whose untouched members are copied byte for byte, compressed bytes included."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import ZipInfo

from yardkit.world import Problem
from yardkit.world.limits import ARCHIVE_ERRORS, check_bytes, open_archive

# The earliest time that a zip can store; fixed, so that the same edit gives the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)
# APPNOTE 4.3.7: the bytes of a local header before its name and extra field, whose lengths are its last four bytes.
_MAGIC, _LOCAL_HEADER = b"PK\x03\x04", 30
# APPNOTE 4.4.4: bits 0 and 6 mark encryption, bit 5 patch data.
_ENCRYPTED, _PATCHED = 0x41, 0x20
_LEVEL = 2
"""Of ISA-L: parts are an eighth larger than by zlib's usual level 6, and made ten times faster."""
_LARGE, _HEAD = 1_000_000, 300
_MAX_PART_BYTES = 400_000_000
_COPIED_ATTRIBUTES = (
    *("compress_type", "create_system", "create_version", "extract_version", "flag_bits"),
    *("internal_attr", "external_attr", "comment", "CRC", "compress_size", "file_size"),
)


class Package:
    """Parts by name. `put` and `drop` change nothing on disk until `save`."""

    def __init__(self, name: str, data: bytes, archive: zipfile.ZipFile | None) -> None:
        self._name = name
        self._data = data
        self._archive = archive
        infos = archive.infolist() if archive else []
        self._members = {_normalize_name(info.filename): info for info in infos if not info.is_dir()}
        self._spelled = {name.casefold(): name for name in self._members}
        self._changed: dict[str, bytes] = {}
        self._unpacked: dict[str, bytes] = {}

    @classmethod
    def open(cls, path: Path) -> Package:
        """The package at `path`.

        Raises:
            Problem: it is not a readable zip package, is a zip bomb, or is encrypted.
        """
        check_bytes(path)
        # Read all bytes at once, so that they cannot mix with those of a writer that replaces the file meanwhile.
        data = path.read_bytes()
        archive = open_archive(path, data)
        members = archive.infolist()
        if any(info.flag_bits & _ENCRYPTED for info in members):
            raise Problem(f"{path.name!r} is encrypted; remove the password first")
        if sum(info.compress_size for info in members) > len(data):
            raise Problem(f"{path.name!r} is damaged: its parts overlap")
        return cls(path.name, data, archive)

    @property
    def is_respelled(self) -> bool:
        """Whether the archive spells names of parts in another way than packages do."""
        return any(name != info.filename for name, info in self._members.items())

    def respell(self, spellings: Mapping[str, str]) -> None:
        """Call parts otherwise than the archive does; to be done before any part is read or changed."""
        self._members = {spellings.get(name, name): info for name, info in self._members.items()}
        self._spelled = {name.casefold(): name for name in self._members}
        self._unpacked.clear()

    @classmethod
    def empty(cls) -> Package:
        return cls("", b"", None)

    def names(self) -> list[str]:
        return [*self._members, *(name for name in self._changed if name not in self._members)]

    def spell_name(self, name: str) -> str:
        """The name of a part as the archive spells it: letter case does not count (ECMA-376-2, 6.2.2)."""
        return name if name in self._members else self._spelled.get(name.casefold(), name)

    def __contains__(self, name: str) -> bool:
        name = self.spell_name(name)
        return name in self._members or name in self._changed

    def read(self, name: str) -> bytes:
        """Return the bytes of a part.

        Raises:
            Problem: it is missing or damaged.
        """
        name = self.spell_name(name)
        member_data = self._changed.get(name, self._unpacked.get(name))
        if member_data is not None:
            return member_data
        if name not in self._members or self._archive is None:
            raise Problem(f"the package has no part {name!r}; it is damaged or of another type")
        if self._members[name].file_size > _MAX_PART_BYTES:
            raise Problem(f"the part {name!r} unpacks to {self._members[name].file_size:,} bytes; that is too large")
        try:
            data = self._inflate_member(self._members[name]) or self._archive.read(self._members[name])
        except ARCHIVE_ERRORS as error:
            raise Problem(f"the part {name!r} of {self._name!r} is damaged ({error})") from error
        if len(data) < _LARGE:  # relations and styles are read repeatedly
            self._unpacked[name] = data
        return data

    def read_head(self, name: str) -> bytes:
        """Return the first bytes of a part, enough for its declaration.

        Raises:
            Problem: it is missing or damaged.
        """
        name = self.spell_name(name)
        member_data = self._changed.get(name, self._unpacked.get(name))
        if member_data is not None or self._archive is None or name not in self._members:
            return self.read(name)[:_HEAD]
        try:
            with self._archive.open(self._members[name]) as part:
                return part.read(_HEAD)
        except ARCHIVE_ERRORS as error:
            raise Problem(f"the part {name!r} of {self._name!r} is damaged ({error})") from error

    def _inflate_member(self, member: ZipInfo) -> bytes | None:
        """Unpack a member with ISA-L in a third of zlib's time; None if damaged; zipfile then finds the reason."""
        from isal import isal_zlib

        if member.compress_type != zipfile.ZIP_DEFLATED or member.flag_bits & _PATCHED:
            return None
        try:
            data = isal_zlib.decompressobj(-15).decompress(self._read_packed(member), member.file_size + 1)
        except isal_zlib.error:  # type: ignore[misc]  # its stubs lack the base class
            return None
        return data if len(data) == member.file_size and isal_zlib.crc32(data) == member.CRC else None

    def _read_packed(self, member: ZipInfo) -> bytes:
        """Read the compressed bytes of a member."""
        start = member.header_offset
        header = self._data[start : start + _LOCAL_HEADER]
        if len(header) < _LOCAL_HEADER or not header.startswith(_MAGIC):
            raise Problem(f"the part {member.filename!r} of {self._name!r} is damaged (it is not where it should be)")
        start += _LOCAL_HEADER + sum(struct.unpack("<HH", header[-4:]))
        return self._data[start : start + member.compress_size]

    def is_changed(self, name: str) -> bool:
        """Whether a part differs from that in the file."""
        return self.spell_name(name) in self._changed

    def list_changes(self) -> set[str]:
        """List the names of the changed parts."""
        return set(self._changed)

    def put(self, name: str, data: bytes) -> None:
        from isal import isal_zlib

        name = self.spell_name(name)
        member = None if name in self._changed else self._members.get(name)
        if member is None or member.file_size != len(data) or isal_zlib.crc32(data) != member.CRC:
            self._changed[name] = data

    def drop_part(self, name: str) -> None:
        name = self.spell_name(name)
        for members in (self._members, self._changed, self._unpacked):
            members.pop(name, None)

    def free_name(self, pattern: str) -> str:
        """Return the first unused name of ``pattern.format(1)``, ``pattern.format(2)`` ..."""
        number = 1
        while pattern.format(number) in self:
            number += 1
        return pattern.format(number)

    def save(self, path: Path, instead: Mapping[str, bytes] = MappingProxyType({})) -> None:
        """Write the package to `path`, which must not be its own source; `instead` overrides the bytes of parts."""
        path.write_bytes(self.pack(instead))

    def pack(self, instead: Mapping[str, bytes] = MappingProxyType({})) -> memoryview:
        """Return the bytes of the current package; `instead` overrides the bytes of parts."""
        changed = {**self._changed, **{self.spell_name(name): data for name, data in instead.items()}}
        # Packed in memory: an archive that fails on a full disk would raise again when it is garbage-collected.
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as target:
            for name in self.names():
                if name in changed:
                    date = self._members[name].date_time if name in self._members else _EPOCH
                    _append_packed(target, *_deflate_member(ZipInfo(name, date), changed[name]))
                else:
                    _append_packed(
                        target, _copy_info(name, self._members[name]), self._read_packed(self._members[name])
                    )
        return packed.getbuffer()


def _deflate_member(info: ZipInfo, data: bytes) -> tuple[ZipInfo, bytes]:
    """Compress a member and return it with its bytes."""
    from isal import isal_zlib

    packing = isal_zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    packed = packing.compress(data) + packing.flush()
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    info.file_size, info.compress_size, info.CRC = len(data), len(packed), isal_zlib.crc32(data)
    return info, packed


def _normalize_name(name: str) -> str:
    """The name of a part as packages have it; some programs write backslashes, or begin with a slash or a point."""
    return name.replace("\\", "/").removeprefix("./").lstrip("/")


def _copy_info(name: str, info: ZipInfo) -> ZipInfo:
    """Copy a member's `info` for another archive, without its offset; copy.copy takes four times as long."""
    same = ZipInfo(name, info.date_time)
    for name in _COPIED_ATTRIBUTES:
        setattr(same, name, getattr(info, name))
    return same


def _append_packed(target: Any, info: ZipInfo, packed: bytes) -> None:
    """Append the compressed bytes of a member unchanged, for which zipfile has no public function."""
    info.flag_bits &= ~0x08  # the header has the sizes, so no data descriptor follows
    info.extra = b""
    info.header_offset = target.fp.tell()
    target.fp.write(info.FileHeader(zip64=False))
    target.fp.write(packed)
    target.filelist.append(info)
    target.NameToInfo[info.filename] = info
    target.start_dir = target.fp.tell()
    # Otherwise zipfile would not write the directory when it is closed.
    target._didModify = True
