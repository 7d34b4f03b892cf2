"""Notes, threaded comments, links, pictures."""

import json
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from lxml import etree
from support import books, rich
from support.answers import Call

TC = "{http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments}"


@pytest.fixture
def book(files: Path, call: Call) -> Any:
    call("write_cells", path="b.xlsx", rows=[["x", "y"], [1, 2]], sheet="Data")
    PIL.Image.new("RGB", (120, 60), "red").save(files / "red.png")
    PIL.Image.new("RGB", (50, 50), "blue").save(files / "blue.jpg")
    return files / "b.xlsx"


def read_answer(result: Any) -> Any:
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


def list_objects(call: Any, kind: Any, path: str = "b.xlsx") -> Any:
    return read_answer(call("read_objects", path=path, kinds=[kind])).get(kind, [])


def annotate_cells(call: Any, *changes: Any, path: str = "b.xlsx", **arguments: Any) -> Any:
    return call("annotate_cells", path=path, edits=list(changes), **arguments)


def test_a_note_is_written_changed_and_deleted_with_its_shape(book: Any, call: Call) -> None:
    before = books.read_parts(book)
    read_answer(annotate_cells(call, {"op": "note", "cell": "B2", "text": "first <&>"}, author="Ann"))
    read_answer(
        annotate_cells(call, {"op": "note", "cell": "B2", "text": "second"}, {"op": "note", "cell": "A1", "text": "t"})
    )
    sheet = books.open_book(book)["Data"]
    assert (sheet["B2"].comment.text, sheet["A1"].comment.text) == ("second", "t")
    read_answer(annotate_cells(call, {"op": "delete_note", "cell": "B2"}, {"op": "delete_note", "cell": "A1"}))
    after = books.read_parts(book)
    assert after.keys() == before.keys()
    assert after["xl/worksheets/sheet1.xml"] == before["xl/worksheets/sheet1.xml"]


def test_notes_of_other_programs_stay_word_for_word(files: Path, call: Call) -> None:
    path = rich.workbook_by_xlsxwriter(files / "r.xlsx")
    before = list_objects(call, "comments", "r.xlsx")
    assert before
    sheet = before[0]["sheet"]
    read_answer(annotate_cells(call, {"op": "note", "cell": "Z9", "text": "mine"}, path="r.xlsx", sheet=sheet))
    read_answer(annotate_cells(call, {"op": "delete_note", "cell": "Z9"}, path="r.xlsx", sheet=sheet))
    assert list_objects(call, "comments", "r.xlsx") == before
    assert books.open_book(path)[sheet][before[0]["cell"]].comment is not None


def test_a_thread_takes_replies_and_is_resolved(book: Any, call: Call) -> None:
    read_answer(annotate_cells(call, {"op": "comment", "cell": "B2", "text": "Right?"}, author="Ann"))
    read_answer(
        annotate_cells(
            call, {"op": "comment", "cell": "B2", "text": "Yes."}, {"op": "resolve", "cell": "B2"}, author="Bo"
        )
    )
    (thread,) = list_objects(call, "comments")
    assert (thread["kind"], thread["author"], thread["text"], thread["resolved"]) == ("thread", "Ann", "Right?", True)
    assert thread["replies"] == ["Bo: Yes."]
    parts = books.read_parts(book)
    root = etree.fromstring(parts["xl/threadedComments/threadedComment1.xml"])
    first, second = root
    assert second.get("parentId") == first.get("id")
    persons = {
        person.get("id"): person.get("displayName") for person in etree.fromstring(parts["xl/persons/person.xml"])
    }
    assert [persons[child.get("personId")] for child in root] == ["Ann", "Bo"]
    note = books.open_book(book)["Data"]["B2"].comment
    assert note.author == f"tc={first.get('id')}"
    assert "Right?" in note.text
    assert "Yes." in note.text
    assert b"threadedcomments+xml" in parts["[Content_Types].xml"]
    read_answer(annotate_cells(call, {"op": "reopen", "cell": "B2"}))
    assert "resolved" not in list_objects(call, "comments")[0]
    read_answer(annotate_cells(call, {"op": "delete_comment", "cell": "B2"}))
    assert list_objects(call, "comments") == []
    assert not [name for name in books.read_parts(book) if "omment" in name or "vml" in name]


def test_links_lead_out_and_to_places_inside(book: Any, call: Call) -> None:
    changes = [
        {"op": "link", "cell": "A1", "target": "https://example.com/?a=1&b=2", "text": "tip"},
        {"op": "link", "cell": "B1", "target": "#Data!A2"},
    ]
    read_answer(annotate_cells(call, *changes))
    targets = {link["cell"]: link["target"] for link in list_objects(call, "links")}
    assert targets == {"A1": "https://example.com/?a=1&b=2", "B1": "#Data!A2"}
    sheet = books.open_book(book)["Data"]
    assert sheet["A1"].hyperlink.target == "https://example.com/?a=1&b=2"
    assert sheet["A1"].font.u == "single"
    read_answer(annotate_cells(call, {"op": "delete_link", "cell": "A1"}, {"op": "delete_link", "cell": "B1"}))
    assert list_objects(call, "links") == []
    assert "xl/worksheets/_rels/sheet1.xml.rels" not in books.read_parts(book)


def test_a_link_in_an_empty_cell_is_to_be_seen_and_formulas_know(book: Any, call: Call) -> None:
    call("write_cells", path="b.xlsx", start_cell="H1", rows=[["=COUNTA(F1:F9)"]])
    changes = [
        {"op": "link", "cell": "F1", "target": "https://example.com", "text": "Our shop"},
        {"op": "link", "cell": "F2", "target": "#Data!A2"},
        {"op": "link", "cell": "A1", "target": "#Data!A2", "text": "Down"},
    ]
    before = books.open_book(book)["Data"]["A1"].value
    read_answer(annotate_cells(call, *changes))
    sheet = books.open_book(book, data_only=True)["Data"]
    assert [sheet[cell].value for cell in ("F1", "F2", "A1", "H1")] == ["Our shop", "Data!A2", before, 2]
    assert [link.get("tip", "") for link in list_objects(call, "links")] == ["", "", "Down"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"op": "note", "cell": "A1"}, "text of 1"),
        ({"op": "note", "cell": "nowhere", "text": "x"}, "not a valid cell"),
        ({"op": "resolve", "cell": "A1"}, "no threaded comment"),
        ({"op": "delete_note", "cell": "A1"}, "nothing to delete_note"),
        ({"op": "link", "cell": "A1", "target": "javascript:alert(1)"}, "not a valid link"),
        ({"op": "link", "cell": "A1", "target": "#Nope!A1"}, "the sheet 'Nope' does not exist"),
    ],
)
def test_one_bad_change_and_none_is_made(book: Any, call: Call, change: dict[str, Any], word: str) -> None:
    before = book.read_bytes()
    refused = annotate_cells(call, {"op": "note", "cell": "B2", "text": "fine"}, change)
    assert refused.is_error
    assert word in refused.content[0].text
    assert book.read_bytes() == before


def test_a_picture_is_placed_replaced_moved_and_deleted(book: Any, call: Call, files: Path) -> None:
    before = books.read_parts(book)
    image_reply = read_answer(
        call("place_image", path="b.xlsx", image="red.png", at="D2", width_px=60, alt_text='a "red" <box>')
    )
    assert image_reply["objects"][0] | {"media": ""} == {
        "name": "Picture 1", "sheet": "Data", "at": "D2", "alt_text": 'a "red" <box>', "media": "", "width_px": 60,
        "height_px": 30,
    }  # fmt: skip
    assert books.read_parts(book)["xl/media/image1.png"] == (files / "red.png").read_bytes()
    image_reply = read_answer(call("place_image", path="b.xlsx", action="change", image="blue.jpg", at="F4"))[
        "objects"
    ][0]
    assert (image_reply["at"], image_reply["width_px"]) == ("F4", 60)
    parts = books.read_parts(book)
    assert parts[image_reply["media"]] == (files / "blue.jpg").read_bytes()
    assert "xl/media/image1.png" not in parts
    assert len(books.open_book(book)["Data"]._images) == 1
    read_answer(call("place_image", path="b.xlsx", action="delete"))
    assert books.read_parts(book).keys() == before.keys()


def test_the_same_picture_twice_is_stored_once_and_stays_for_the_other(book: Any, call: Call) -> None:
    for at in ("D2", "D9"):
        read_answer(call("place_image", path="b.xlsx", image="red.png", at=at))
    assert [name for name in books.read_parts(book) if "media" in name] == ["xl/media/image1.png"]
    read_answer(call("place_image", path="b.xlsx", action="delete", name="Picture 1"))
    assert [picture["name"] for picture in list_objects(call, "images")] == ["Picture 2"]
    assert "xl/media/image1.png" in books.read_parts(book)


def test_what_is_no_picture_is_refused(book: Any, call: Call, files: Path) -> None:
    (files / "fake.png").write_bytes(b"no picture")
    refused = call("place_image", path="b.xlsx", image="fake.png", at="A1")
    assert refused.is_error
    assert "is not a readable picture" in refused.content[0].text


def test_a_picture_over_a_range_is_told_with_the_size_of_the_range(files: Path, call: Call) -> None:
    call("write_cells", path="p.xlsx", rows=[["x"]])
    call("set_sheet_layout", path="p.xlsx", column_widths={"D": 20}, row_heights={"2": 30})
    PIL.Image.new("RGB", (40, 40), "red").save(files / "dot.png")
    sizes = []
    for arguments in ({"image": "dot.png", "at": "B1:C2"}, {"action": "change", "at": "D1:D2"}):
        placed_image = read_answer(call("place_image", path="p.xlsx", **arguments))["objects"][0]
        sizes.append((placed_image["at"], placed_image["width_px"], placed_image["height_px"]))
    assert sizes == [("B1:C2", 128, 60), ("D1:D2", 140, 60)]


@pytest.mark.parametrize("kind", ["note", "comment"])
def test_notes_comments_and_links_go_where_sorted_rows_go(files: Path, call: Call, kind: str) -> None:
    call("write_cells", path="n.xlsx", rows=[["N", "M"], ["C", 1], ["A", 2], ["B", 3]])
    call("annotate_cells", path="n.xlsx", edits=[
        {"op": kind, "cell": "A2", "text": "about C"},
        {"op": kind, "cell": "A4", "text": "about B"},
        {"op": kind, "cell": "A1", "text": "about all"},
        {"op": "link", "cell": "A3", "target": "https://example.org/a"},
        {"op": "link", "cell": "B2", "target": "https://example.org/1"},
    ])  # fmt: skip
    call("edit_workbook", path="n.xlsx", edits=[{"op": "sort", "range": "A1:B4", "by": ["N"]}])
    objects = read_answer(call("read_objects", path="n.xlsx", kinds=["comments", "links"]))
    assert {comment["cell"]: comment["text"] for comment in objects["comments"]} == {
        "A1": "about all",
        "A3": "about B",
        "A4": "about C",
    }
    assert {link["cell"]: link["target"][-1] for link in objects["links"]} == {"A2": "a", "B4": "1"}
    sheet = books.open_book(files / "n.xlsx").active
    assert [cell.value for cell in sheet["A"]] == ["N", "A", "B", "C"]
    assert "about C" in sheet["A4"].comment.text


def test_notes_and_links_of_rows_that_a_filter_takes_out_go_with_them(files: Path, call: Call) -> None:
    call("write_cells", path="n.xlsx", rows=[["N"], [3], [1], [2]])
    call("annotate_cells", path="n.xlsx", edits=[
        {"op": "note", "cell": "A3", "text": "one"},
        {"op": "note", "cell": "A4", "text": "two"},
        {"op": "link", "cell": "A3", "target": "https://example.org/1"},
    ])  # fmt: skip
    operation = {"op": "filter", "range": "A1:A4", "by": ["N"], "test": ">=", "value": 2}
    read_answer(call("edit_workbook", path="n.xlsx", edits=[operation]))
    objects = read_answer(call("read_objects", path="n.xlsx", kinds=["comments", "links"]))
    assert [(comment["cell"], comment["text"]) for comment in objects["comments"]] == [("A3", "two")]
    assert not objects.get("links")
