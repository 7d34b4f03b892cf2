"""Packages: what is put is there, what is not stays byte for byte, damaged ones are told."""

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.packages import pack_members

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.xml import MAX_TAGS, parse_part
from yardkit.world import Problem

names = st.text(st.characters(categories=["L", "N"], include_characters="_-"), min_size=1, max_size=12)
datas = st.tuples(st.binary(max_size=40), st.sampled_from([1, 5000]))
specs = st.dictionaries(names.map(str.casefold).map("xl/{}.xml".format), datas, min_size=1, max_size=5)
METHODS = [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def read_raw_members(path: Path) -> dict[str, bytes]:
    """The compressed bytes of each member."""
    data = path.read_bytes()
    raw_members = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for info in archive.infolist():
            lengths = data[info.header_offset + 26 : info.header_offset + 30]
            start = info.header_offset + 30 + sum(int.from_bytes(lengths[n : n + 2], "little") for n in (0, 2))
            raw_members[info.filename] = data[start : start + info.compress_size]
    return raw_members


@pytest.mark.parametrize("method", METHODS)
@given(old=specs, put=specs)
def test_what_is_put_is_there_and_all_else_stays_as_it_was_packed(
    tmp_path_factory: pytest.TempPathFactory,
    method: int,
    old: dict[str, tuple[bytes, int]],
    put: dict[str, tuple[bytes, int]],
) -> None:
    before, new = ({name: data * times for name, (data, times) in parts.items()} for parts in (old, put))
    folder = tmp_path_factory.mktemp("packages")
    source, target = folder / "a.zip", folder / "b.zip"
    source.write_bytes(pack_members(before, method))
    package = Package.open(source)
    assert {name: package.read(name) for name in package.names()} == before
    for name, data in new.items():
        package.put(name, data)
    package.save(target)
    with zipfile.ZipFile(target) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == before | new
    unchanged_names = [name for name in before if name not in new or new[name] == before[name]]
    assert {name: read_raw_members(target)[name] for name in unchanged_names} == {
        name: read_raw_members(source)[name] for name in unchanged_names
    }
    assert [read_member_headers(target)[name] for name in unchanged_names] == [
        read_member_headers(source)[name] for name in unchanged_names
    ]


def read_member_headers(path: Path) -> dict[str, tuple[object, ...]]:
    """What a package says of each member besides its bytes."""
    with zipfile.ZipFile(path) as archive:
        return {
            info.filename: (info.date_time, info.external_attr, info.internal_attr, info.create_system, info.comment)
            for info in archive.infolist()
        }


def write_damaged(path: Path, change: dict[int, bytes]) -> Path:
    data = bytearray(pack_members({"word/document.xml": b"<a>" + bytes(range(32, 120)) + b"</a>"}))
    directory = data.index(b"PK\x01\x02")
    for place, new in change.items():
        start = place if place >= 0 else directory - place
        data[start : start + len(new)] = new
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "change",
    [{0: b"XX"}, {-16: b"\x00\x00\x00\x00"}, {-42: b"\xf0\xff\xff\x0f"}, {-10: b"\x63\x00"}, {-20: b"\x05\x00"}],
    ids=["no header", "wrong checksum", "offset beyond the end", "unknown method", "wrong size"],
)
def test_a_damaged_member_is_a_problem_that_names_it(tmp_path: Path, change: dict[int, bytes]) -> None:
    with pytest.raises(Problem, match=r"damaged|readable"):
        Package.open(write_damaged(tmp_path / "a.docx", change)).read("word/document.xml")


@pytest.mark.parametrize("flag", [b"\x01", b"\x40"])
def test_an_encrypted_member_is_a_problem(tmp_path: Path, flag: bytes) -> None:
    with pytest.raises(Problem, match="encrypted"):
        Package.open(write_damaged(tmp_path / "a.docx", {-8: flag}))


def test_members_that_share_their_bytes_are_a_problem(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a", bytes(5000))
        (info,) = archive.filelist
        archive.filelist += [info] * 3
    (tmp_path / "a.xlsx").write_bytes(buffer.getvalue())
    with pytest.raises(Problem, match="overlap"):
        Package.open(tmp_path / "a.xlsx")


def test_more_elements_than_memory_holds_are_refused_before_they_are_parsed() -> None:
    with pytest.raises(Problem, match=r"'word/document\.xml' has too many elements"):
        parse_part(b"<p/>" * (MAX_TAGS + 1), "word/document.xml")
