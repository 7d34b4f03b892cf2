"""Bad input to the six office servers: a clear error that says what to do, and nothing is lost, followed or run."""

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter
from fastmcp import FastMCP
from support import office
from support.answers import make_caller
from support.scale import select_drills
from support.web import Request, send_answer, serve_requests

from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, use_world

SERVERS = ("sheets", "documents", "slides", "pdf", "html", "render")
PROTECTED = sorted((Path(__file__).parent / "pages" / "files").glob("protected.*"))
READERS = {".docx": "read_document", ".xlsx": "read_cells", ".pptx": "inspect_deck", ".pdf": "inspect_pdf"}
EDITS: dict[str, tuple[str, dict[str, Any]]] = {
    "a.docx": ("edit_blocks", {"edits": [{"op": "insert", "blocks": [{"text": "more"}]}]}),
    "a.xlsx": ("write_cells", {"rows": [["more"]]}),
    "a.pptx": ("set_speaker_notes", {"notes": [{"slide": 1, "text": "more"}]}),
    "a.pdf": ("set_pdf_metadata", {"properties": {"title": "more"}}),
    "a.html": ("edit_page", {"edits": [{"op": "set_text", "selector": "h1", "value": "more"}]}),
}
Call = Callable[..., Any]


@pytest.fixture(scope="module")
def yard() -> FastMCP[Any]:
    every: FastMCP[Any] = FastMCP("office")
    for name in SERVERS:
        every.mount(load_server(name))
    return every


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    world = World.create(tmp_path / "world", task="office", seed=1)
    for name, data in (("a.docx", office.make_paper()), ("a.pptx", office.make_deck()), ("a.xlsx", office.make_book())):
        (world.files / name).write_bytes(data)
    (world.files / "a.html").write_text("<!doctype html><title>A</title><h1>A</h1>")
    with use_world(world):
        yield world.files


@pytest.fixture
def call(files: Path, yard: FastMCP[Any]) -> Call:
    """Call a tool; whether it failed, and what it said."""
    ask = make_caller(yard)

    def run(tool: str, **arguments: Any) -> tuple[bool, str]:
        answer = ask(tool, **arguments)
        return answer.is_error, "\n".join(getattr(part, "text", "") for part in answer.content)

    return run


@pytest.fixture
def ok(call: Call) -> Callable[..., str]:
    def run(tool: str, **arguments: Any) -> str:
        failed, text = call(tool, **arguments)
        assert not failed, text
        return str(text)

    return run


@pytest.fixture
def refused(call: Call) -> Callable[..., str]:
    def run(tool: str, **arguments: Any) -> str:
        failed, text = call(tool, **arguments)
        assert failed, text
        return str(text)

    return run


@pytest.fixture
def pdf(files: Path, ok: Callable[..., str]) -> Path:
    ok("create_pdf", path="a.pdf", markdown="# A")
    return files / "a.pdf"


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """The address of a web server of this machine, and what was asked of it."""
    paths: list[str] = []

    def respond(request: Request) -> None:
        paths.append(request.path)
        send_answer(request, 200, b"7")

    with serve_requests(respond) as address:
        yield address, paths


@pytest.mark.parametrize("name", EDITS)
def test_a_file_marked_read_only_is_not_replaced(
    files: Path, pdf: Path, ok: Callable[..., str], refused: Callable[..., str], name: str
) -> None:
    tool, arguments = EDITS[name]
    path = files / name
    path.chmod(0o444)
    before = path.read_bytes()
    assert f"'{name}' is read-only; write to another name" in refused(tool, path=name, **arguments)
    assert path.read_bytes() == before
    path.chmod(0o644)
    ok(tool, path=name, **arguments)
    assert path.read_bytes() != before


WORD_LOCK = b"\x08Ada Berg" + b" " * 45 + "\x08Ada Berg".encode("utf-16-le")


@pytest.mark.parametrize(
    ("name", "lock", "data"),
    [
        ("a.docx", "~$a.docx", WORD_LOCK),
        ("a.xlsx", "~$a.xlsx", WORD_LOCK),
        ("a.pptx", "~$a.pptx", WORD_LOCK),
        ("a.docx", ".~lock.a.docx#", b",Ada Berg,desk,21.11.2026 10:00,file:///home/ada;"),
        ("a.xlsx", ".~lock.a.xlsx#", b"Ada Berg,ada,desk,21.11.2026 10:00,file:///home/ada;"),
    ],
)
def test_a_file_that_another_program_has_open_is_read_but_not_replaced(
    files: Path, ok: Callable[..., str], refused: Callable[..., str], name: str, lock: str, data: bytes
) -> None:
    tool, arguments = EDITS[name]
    (files / lock).write_bytes(data)
    before = (files / name).read_bytes()
    message = refused(tool, path=name, **arguments)
    assert f"'{name}' is open in another program (Ada Berg)" in message
    assert f"delete '{lock}'" in message
    assert (files / name).read_bytes() == before
    ok(READERS[Path(name).suffix], path=name)
    if name == "a.pptx":
        ok("render_pages", path=name, dpi=30)
    (files / lock).unlink()
    ok(tool, path=name, **arguments)


@pytest.mark.parametrize(("stem", "lock"), [("letters", "~$etters.docx"), ("contract", "~$ntract.docx")])
def test_word_leaves_out_the_first_letters_of_a_long_name_in_its_lock(
    files: Path, refused: Callable[..., str], stem: str, lock: str
) -> None:
    (files / "a.docx").rename(files / f"{stem}.docx")
    (files / lock).write_bytes(b"")
    tool, arguments = EDITS["a.docx"]
    assert "is open in another program: close it there" in refused(tool, path=f"{stem}.docx", **arguments)


@pytest.mark.parametrize("path", PROTECTED, ids=lambda path: path.name)
def test_a_file_with_a_password_says_so_to_its_server_and_to_render(
    files: Path, refused: Callable[..., str], path: Path
) -> None:
    shutil.copy(path, files)
    readers = {"doc": "read_document", "xls": "read_cells", "ppt": "inspect_deck"}
    family = {"odt": "doc", "ods": "xls", "odp": "ppt"}.get(path.suffix[1:], path.suffix[1:4])
    for tool in (readers[family], "render_pages"):
        assert f"'{path.name}' is protected with a password" in refused(tool, path=path.name)
    assert (files / path.name).read_bytes() == path.read_bytes()


WORDS = {
    "a.docx": "a Word document",
    "a.xlsx": "an Excel workbook",
    "a.pptx": "a PowerPoint presentation",
    "a.pdf": "a PDF",
}


WRONG = [("a.docx", ".xlsx"), ("a.xlsx", ".pptx"), ("a.pptx", ".docx"), ("a.pdf", ".docx")]
MORE_WRONG = [
    (really, suffix) for really in WORDS for suffix in (".docx", ".xlsx", ".pptx") if (really, suffix) not in WRONG
]


@pytest.mark.parametrize(("really", "suffix"), [*WRONG, *select_drills(*MORE_WRONG)])
def test_a_file_under_a_wrong_name_says_what_it_is_and_is_shown_all_the_same(
    files: Path, pdf: Path, ok: Callable[..., str], refused: Callable[..., str], really: str, suffix: str
) -> None:
    wrong = f"wrong{suffix}"
    shutil.copy(files / really, files / wrong)
    if not really.endswith(suffix):
        assert f"'{wrong}' is {WORDS[really]}; name a {suffix} file" in refused(READERS[suffix], path=wrong)
    if not really.endswith(".pdf"):
        ok("render_pages", path=wrong, dpi=30)


def test_a_workbook_under_any_name_is_imported(files: Path, ok: Callable[..., str]) -> None:
    for name in ("really.xls", "really.csv", "really.ods"):
        shutil.copy(files / "a.xlsx", files / name)
        assert "Wrote" in ok("import_data", source=name, path="b.xlsx", sheet=name[-3:])


@pytest.mark.parametrize(
    ("name", "legacy", "reader", "how", "convert"),
    [
        ("a.docx", "old.doc", "read_document", "convert_document", ("convert_document", "target")),
        ("a.xlsx", "old.ods", "read_cells", "export_data", ("export_data", "target")),
        ("a.pptx", "old.ppt", "inspect_deck", "convert_file", ("convert_file", "target")),
        *select_drills(
            ("a.docx", "old.odt", "read_document", "convert_document", ("convert_document", "target")),
            ("a.docx", "old.rtf", "read_document", "convert_document", ("convert_document", "target")),
            ("a.xlsx", "old.xls", "read_cells", "export_data", ("export_data", "target")),
            ("a.pptx", "old.odp", "inspect_deck", "convert_file", ("convert_file", "target")),
        ),
    ],
)
def test_an_older_format_is_converted_through_libreoffice_and_that_is_said(
    files: Path, ok: Callable[..., str], refused: Callable[..., str],
    name: str, legacy: str, reader: str, how: str, convert: tuple[str, str],
) -> None:  # fmt: skip
    ok("convert_file", path=name, target=legacy)
    before = (files / legacy).read_bytes()
    assert how in refused(reader, path=legacy)
    disguised = f"disguised{Path(name).suffix}"
    shutil.copy(files / legacy, files / disguised)
    assert how in refused(reader, path=disguised)
    tool, target = convert
    for source in (legacy, disguised):
        new_path = f"new_{Path(source).stem}{Path(name).suffix}"
        assert "through LibreOffice" in ok(tool, path=source, **{target: new_path})
        expected_text = {".docx": "As agreed", ".xlsx": "Rent", ".pptx": "Highlights"}[Path(name).suffix]
        assert expected_text in ok(reader, path=new_path)
    assert (files / legacy).read_bytes() == before


def test_a_converted_workbook_keeps_all_sheets_and_formulas(files: Path, ok: Callable[..., str]) -> None:
    ok("convert_file", path="a.xlsx", target="old.xls")
    ok("export_data", path="old.xls", target="new.xlsx")
    sheets = json.loads(ok("inspect_workbook", path="new.xlsx").split("\n")[0])["sheets"]
    assert [sheet["name"] for sheet in sheets] == ["Plan", "Old"]
    assert sheets[0]["formulas"] == 1


def write_linking_files(address: str, files: Path) -> list[str]:
    """Files of every kind that point at an address."""
    with zipfile.ZipFile(files / "a.docx") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    rels = members["word/_rels/document.xml.rels"]
    template = (
        f'<Relationship Id="rIdT" TargetMode="External" Target="{address}/template.dotx" Type="http://schemas.'
        'openxmlformats.org/officeDocument/2006/relationships/attachedTemplate"/></Relationships>'
    ).encode()
    media = next(name for name in members if name.startswith("word/media/")).removeprefix("word/").encode()
    rels = rels.replace(b'Target="' + media + b'"', f'Target="{address}/picture.png" TargetMode="External"'.encode())
    members["word/_rels/document.xml.rels"] = rels.replace(b"</Relationships>", template)
    members["word/document.xml"] = members["word/document.xml"].replace(b"r:embed=", b"r:link=")
    with zipfile.ZipFile(files / "links.docx", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    book = xlsxwriter.Workbook(files / "links.xlsx")
    sheet = book.add_worksheet()
    sheet.write_formula("A1", f'=_xlfn.WEBSERVICE("{address}/service")', None, 7)
    sheet.write_formula("A2", f"='{address}/[other.xlsx]Sheet1'!A1", None, 7)
    sheet.write("A3", 1)
    book.close()
    (files / "links.html").write_text(
        f'<title>A</title><h1>A</h1><img src="{address}/p.png"><script src="{address}/s.js">'
    )
    (files / "links.md").write_text(f"# A\n\n![]({address}/p.png)\n")
    (files / "links.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><image href="{address}/p.png"/></svg>'
    )
    (files / "links.rtf").write_text(rf'{{\rtf1 {{\field{{\*\fldinst INCLUDEPICTURE "{address}/p.png"}}}} text}}')
    (files / "links.csv").write_text(f'a,b\n1,"=WEBSERVICE(""{address}/csv"")"\n')
    return ["links.docx", "links.xlsx", "links.html", "links.md", "links.svg", "links.rtf", "links.csv"]


@pytest.mark.drill
def test_what_a_file_points_at_is_never_fetched(
    files: Path, ok: Callable[..., str], call: Call, asked: tuple[str, list[str]]
) -> None:
    address, paths = asked
    for name in write_linking_files(address, files):
        ok("render_pages", path=name, dpi=30)
        ok("convert_to_pdf", path=name, target=f"{name}.pdf")
    ok("edit_blocks", path="links.docx", edits=[{"op": "insert", "blocks": [{"text": "x"}]}])
    ok("write_cells", path="links.xlsx", start_cell="A3", rows=[[2]])
    ok("edit_workbook", path="links.xlsx", edits=[{"op": "recalculate"}])
    ok("import_data", source="links.csv", path="from_csv.xlsx")
    ok("convert_document", path="links.html", target="h.docx")
    ok("convert_document", path="links.md", target="m.docx")
    ok("create_pdf", path="m.pdf", source="links.md")
    ok("render_web_page", path="links.html")
    call("bundle_page", path="links.html", target="one.html")
    ok("check_page", path="links.html")
    assert paths == []
    assert "WEBSERVICE" in ok("read_cells", path="links.xlsx", show="formulas")


@pytest.mark.parametrize("formula", ['=WEBSERVICE("http://x")', "=DDE(A1,A2,A3)", "=cmd|'/c calc'!A1", "=[b.xlsx]S!A1"])
def test_formulas_that_call_out_are_refused_wherever_they_can_be_given(
    files: Path, refused: Callable[..., str], formula: str
) -> None:
    before = (files / "a.xlsx").read_bytes()
    attempts: list[tuple[str, dict[str, Any]]] = [
        ("write_cells", {"rows": [[formula]]}),
        ("append_rows", {"rows": [[formula]]}),
        ("edit_workbook", {"edits": [{"op": "write", "range": "A9", "values": [[formula]]}]}),
        ("set_name", {"name": "Out", "refers_to": formula}),
        ("set_conditional_format", {"range": "A1", "rule": "formula", "value": formula, "bold": True}),
        ("set_validation", {"range": "A1", "allow": "custom", "value": formula}),
        ("set_validation", {"range": "A1", "allow": "list", "items": [formula]}),
        ("set_conditional_format", {"range": "A1", "rule": "cell", "operator": ">", "value": formula, "bold": True}),
        ("set_chart", {"type": "column", "data": formula.removeprefix("=")}),
        ("set_sparklines", {"at": "D1", "data": formula.removeprefix("=")}),
    ]
    for tool, arguments in attempts:
        refused(tool, path="a.xlsx", **arguments)
    assert (files / "a.xlsx").read_bytes() == before


@pytest.mark.parametrize(
    "name",
    ["a.docx", "a.xlsx", "a.pptx", "a.pdf", "b.xls", "b.odt", "b.rtf", *select_drills("b.doc", "b.ppt", "b.ods")],
)
def test_a_truncated_file_is_refused_by_every_tool_that_reads_it(
    files: Path, pdf: Path, ok: Callable[..., str], refused: Callable[..., str], name: str
) -> None:
    if name.startswith("b."):
        source = {"d": "a.docx", "x": "a.xlsx", "p": "a.pptx"}.get(name[2], "a.xlsx" if name == "b.ods" else "a.docx")
        ok("convert_file", path=source, target=name)
    cut = f"cut{Path(name).suffix}"
    (files / cut).write_bytes(
        (files / name).read_bytes()[: (files / name).stat().st_size // (9 if name == "b.rtf" else 2)]
    )
    before = (files / cut).read_bytes()
    readers: list[tuple[str, dict[str, Any]]] = [("render_pages", {}), ("convert_to_pdf", {"target": "out.pdf"})]
    family = {"odt": "doc", "rtf": "doc", "ods": "xls"}.get(name[2:], name[2:5])
    if family == "doc":
        readers += [("read_document", {}), ("convert_document", {"target": "out.md"})]
    elif family == "xls":
        readers += [("read_cells", {}), ("export_data", {"target": "out.csv" if name == "a.xlsx" else "out.xlsx"})]
    elif family == "ppt":
        readers += [("inspect_deck", {})]
    else:
        readers += [("read_pdf_text", {}), ("rewrite_pdf", {"action": "repair", "target": "out.pdf"})]
    for tool, arguments in readers if name != "b.rtf" else [("read_document", {})]:
        assert cut in refused(tool, path=cut, **arguments)
    assert not list(files.glob("out.*"))
    assert (files / cut).read_bytes() == before


LAUGHS = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefg", "bcdefgh", strict=True))


def test_drawings_that_laugh_or_are_broken_are_refused(
    files: Path, ok: Callable[..., str], refused: Callable[..., str]
) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><text y="50">{}</text></svg>'
    (files / "good.svg").write_text('<!DOCTYPE svg [<!ENTITY a "ha">]>' + svg.format("&a;"))
    ok("render_pages", path="good.svg", dpi=30)
    (files / "laugh.svg").write_text(f'<!DOCTYPE svg [<!ENTITY a "{"ha" * 99}">{LAUGHS}]>' + svg.format("&h;"))
    (files / "cut.svg").write_text(svg[:80])
    for name in ("laugh.svg", "cut.svg"):
        for tool, arguments in (("render_pages", {}), ("convert_file", {"target": "out.png"})):
            assert f"'{name}' is not a readable SVG" in refused(tool, path=name, **arguments)
    assert not (files / "out.png").exists()


@pytest.mark.parametrize("name", ["bomb.docx", "bomb.xlsx", "bomb.pptx", "bomb.ods"])
def test_a_zip_bomb_is_refused_by_every_tool_that_reads_it(files: Path, refused: Callable[..., str], name: str) -> None:
    source = {"ods": None}.get(name[5:], f"a{name[4:]}")
    with zipfile.ZipFile(files / name, "w", zipfile.ZIP_DEFLATED) as archive:
        if source is None:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        else:
            with zipfile.ZipFile(files / source) as good:
                for member in good.namelist():
                    archive.writestr(member, good.read(member))
        archive.writestr("content.xml", bytes(60_000_000))
    tools: list[tuple[str, dict[str, Any]]] = [("render_pages", {}), ("convert_file", {"target": "out.pdf"})]
    if source is None:
        message = refused("import_data", source=name, path="out.xlsx")
        assert "zip bomb" in message
        tools += [("export_data", {"target": "out.xlsx"})]
    else:
        tools += [(READERS[Path(source).suffix], {})]
    for tool, arguments in tools:
        assert f"'{name}' would unpack to" in refused(tool, path=name, **arguments)
