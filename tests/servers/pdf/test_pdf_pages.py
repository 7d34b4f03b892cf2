"""Merging, splitting, arranging, protecting, attaching, describing, shrinking."""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import everything_decoded, pixels_of, raw_streams, text_of
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

Ok = Callable[..., dict[str, Any]]


def test_a_page_of_pictures_states_no_author_and_is_as_small_as_they_are(ok: Ok, files: Path) -> None:
    Image.effect_noise((600, 400), 60).convert("RGB").save(files / "photo.jpg")
    ok("create_pdf", path="photo.pdf", images=["photo.jpg"])
    stated = set(ok("inspect_pdf", path="photo.pdf")["metadata"])
    assert stated == {"CreationDate", "ModDate", "Producer", "Trapped"}
    assert (files / "photo.pdf").stat().st_size < (files / "photo.jpg").stat().st_size + 3_000
    (extracted,) = ok("extract_pdf_files", path="photo.pdf", folder="out")["files"]
    assert (files / extracted["path"]).read_bytes() == (files / "photo.jpg").read_bytes()


def test_what_is_transparent_in_a_picture_stays_so_when_it_is_extracted_and_photos_beside_it_stay_as_they_are(
    ok: Ok, files: Path
) -> None:
    logo = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    logo.paste((16, 60, 102, 255), (10, 10, 30, 30))
    logo.paste((255, 0, 0, 128), (40, 10, 55, 30))
    logo.save(files / "logo.png")
    Image.effect_noise((80, 60), 60).convert("RGB").save(files / "photo.jpg")
    ok("create_pdf", path="both.pdf", images=["logo.png", "photo.jpg"])
    first, second = ok("extract_pdf_files", path="both.pdf", folder="out")["files"]
    assert (files / second["path"]).read_bytes() == (files / "photo.jpg").read_bytes()
    extracted_image = Image.open(files / first["path"])
    assert [extracted_image.getpixel(at) for at in ((2, 2), (20, 20), (45, 20))] == [
        logo.getpixel(at) for at in ((2, 2), (20, 20), (45, 20))
    ]


def test_attachments_of_one_name_in_two_folders_are_both_extracted(ok: Ok, letter: Path, files: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        pdf.attachments["a/b.txt"], pdf.attachments["c/b.txt"] = b"one", b"two"
        pdf.save(letter)
    extracted_files = ok("extract_pdf_files", path="letter.pdf", folder="out", what="attachments")["files"]
    assert [(files / attachment["path"]).read_bytes() for attachment in extracted_files] == [b"one", b"two"]


@pytest.fixture
def book(files: Path) -> Path:
    """Six pages with chapters at 1, 3 and 5, a section, and a link from page 1 to page 6."""
    path = files / "book.pdf"
    canvas = Canvas(str(path), pagesize=(300, 400), invariant=1)
    for number in range(1, 7):
        canvas.bookmarkPage(f"p{number}")
        if number % 2:
            canvas.addOutlineEntry(f"Chapter {number // 2 + 1}", f"p{number}", 0)
        elif number == 4:
            canvas.addOutlineEntry("Section", "p4", 1)
        if number == 1:
            canvas.linkRect("", "p6", (50, 50, 100, 70))
        canvas.drawString(50, 350, f"This is page number {number}")
        canvas.showPage()
    canvas.save()
    return path


def list_page_numbers(path: Path, password: str | None = None) -> list[int]:
    """Which pages of the book a file holds, 0 for others."""
    with pikepdf.open(path, password=password or "") as pdf:
        count = len(pdf.pages)
    texts = [text_of(path, page, password).strip() for page in range(1, count + 1)]
    return [int(text[-1]) if text.startswith("This is page number") else 0 for text in texts]


def test_merging_brings_bookmarks_forms_and_attachments(ok: Ok, book: Path, form: Path, letter: Path) -> None:
    ok("attach_pdf_files", path="letter.pdf", files=["form.pdf"])
    sources = [{"path": "book.pdf", "pages": "3-6"}, {"path": "letter.pdf"}, {"path": "form.pdf"}, {"path": "form.pdf"}]
    done = ok("merge_pdfs", sources=sources, target="all.pdf")
    assert done["done"] == "Merged 4 files into 8 pages"
    items = ok("list_pdf_items", path="all.pdf", what="outline")["items"]
    assert [(item["text"], item["to_page"], item["level"]) for item in items] == [
        ("book", 1, 1), ("Chapter 2", 1, 2), ("Section", 2, 3), ("Chapter 3", 3, 2),
        ("letter", 5, 1), ("Case of Jane Roe", 5, 2), ("form", 7, 1), ("form", 8, 1),
    ]  # fmt: skip
    fields = ok("read_pdf_form", path="all.pdf")
    assert fields["total"] == 16
    assert len({field["name"] for field in fields["fields"]}) == 16
    assert ok("inspect_pdf", path="all.pdf")["attachments"] == ["form.pdf"]


def test_pages_are_kept_moved_turned_and_cut_in_one_call(ok: Ok, book: Path) -> None:
    ops = [
        {"op": "keep", "pages": "6,2-4,2"},
        {"op": "move", "pages": "1", "before": 3},
        {"op": "rotate", "pages": "1", "angle": -90},
        {"op": "crop", "pages": "5", "box": [10, 20, 210, 120]},
        {"op": "blank", "before": 1},
    ]
    assert "6 pages now" in ok("arrange_pdf_pages", path="book.pdf", edits=ops, target="new.pdf")["done"]
    assert list_page_numbers(book.with_name("new.pdf")) == [0, 2, 6, 3, 4, 2]
    info = ok("inspect_pdf", path="new.pdf")
    assert info["page_sizes"] == {"400 x 300": "1-2", "300 x 400": "3-5", "200 x 100": "6"}


def test_a_page_kept_twice_has_its_comments_links_and_fields_twice(ok: Ok, book: Path, form: Path) -> None:
    note = {"kind": "note", "page": 1, "boxes": [[20, 20]], "text": "Mind this"}
    for path in ("book.pdf", "form.pdf"):
        ok("annotate_pdf", path=path, add=[note])
    ops = [{"op": "keep", "pages": "1,1,2-6,1"}]
    assert "warnings" not in ok("arrange_pdf_pages", path="book.pdf", edits=ops)
    assert [item["page"] for item in ok("list_pdf_items", path="book.pdf", what="annotations")["items"]] == [1, 2, 8]
    links = ok("list_pdf_items", path="book.pdf", what="links")["items"]
    assert [(item["page"], item["to_page"]) for item in links] == [(1, 7), (2, 7), (8, 7)]
    done = ok(
        "arrange_pdf_pages", path="form.pdf", edits=[{"op": "keep", "pages": "1,1,1"}, {"op": "delete", "pages": "2"}]
    )
    assert "notes -> notes+1" in "".join(done["warnings"])
    fields = ok("read_pdf_form", path="form.pdf")
    assert fields["total"] == 16
    ok("fill_pdf_form", path="form.pdf", values={"notes": "first"})
    with pikepdf.open(form) as pdf:
        assert [[str(annot.Subtype) for annot in page.obj.Annots].count("/Text") for page in pdf.pages] == [1, 1]
        places = [annot.objgen for page in pdf.pages for annot in page.obj.Annots]
        assert len(places) == len(set(places))
        assert all(page.obj == annot.P for page in pdf.pages for annot in page.obj.Annots)
        assert [
            [str(annot.get("/V")) for annot in page.obj.Annots if str(annot.get("/T", "")).startswith("notes")]
            for page in pdf.pages
        ] == [["first"], ["None"]]


@pytest.mark.parametrize("tool", ["arrange", "merge"])
def test_copies_of_a_page_without_a_form_do_not_share_comments(ok: Ok, book: Path, files: Path, tool: str) -> None:
    ok("annotate_pdf", path="book.pdf", add=[{"kind": "note", "page": 1, "boxes": [[20, 20]], "text": "Mind this"}])
    if tool == "arrange":
        ok("arrange_pdf_pages", path="book.pdf", edits=[{"op": "keep", "pages": "1,1"}], target="two.pdf")
    else:
        ok("merge_pdfs", sources=[{"path": "book.pdf", "pages": "1,1"}], target="two.pdf")
    items = ok("list_pdf_items", path="two.pdf", what="annotations")["items"]
    ok("annotate_pdf", path="two.pdf", delete=[items[1]["id"]])
    assert [item["page"] for item in ok("list_pdf_items", path="two.pdf", what="annotations")["items"]] == [1]
    with pikepdf.open(files / "two.pdf") as pdf:
        places = [annot.objgen for page in pdf.pages for annot in page.obj.Annots]
        assert len(places) == len(set(places))


def test_nothing_of_a_deleted_page_stays_in_the_file(ok: Ok, book: Path) -> None:
    ok("arrange_pdf_pages", path="book.pdf", edits=[{"op": "delete", "pages": "3,6"}])
    assert list_page_numbers(book) == [1, 2, 4, 5]
    data = everything_decoded(book)
    assert b"page number 3" not in data
    assert b"page number 6" not in data
    items = ok("list_pdf_items", path="book.pdf", what="outline")["items"]
    assert [(item["text"], item["to_page"]) for item in items] == [("Chapter 1", 1), ("Section", 3), ("Chapter 3", 4)]
    assert ok("list_pdf_items", path="book.pdf", what="links")["total"] == 0


def test_pages_are_inserted_from_another_file(ok: Ok, book: Path, letter: Path) -> None:
    ok(
        "arrange_pdf_pages",
        path="book.pdf",
        edits=[{"op": "insert", "source": "letter.pdf", "pages": "2", "before": 2}],
    )
    assert list_page_numbers(book) == [1, 0, 2, 3, 4, 5, 6]
    assert "Turned page text" in text_of(book, 2)


def test_arranging_keeps_the_content_of_pages(ok: Ok, book: Path) -> None:
    before = raw_streams(book)
    ok("arrange_pdf_pages", path="book.pdf", edits=[{"op": "move", "pages": "6", "before": 1}])
    assert raw_streams(book) == before


def test_a_step_that_cannot_be_done_changes_nothing(refused: Callable[..., str], book: Path) -> None:
    before = book.read_bytes()
    rotate = {"op": "rotate", "pages": "1"}
    assert "pages 1 to 6" in refused(
        "arrange_pdf_pages", path="book.pdf", edits=[rotate, {"op": "delete", "pages": "7"}]
    )
    assert "no page would be left" in refused(
        "arrange_pdf_pages", path="book.pdf", edits=[{"op": "delete", "pages": "all"}]
    )
    assert "multiple of 90" in refused("arrange_pdf_pages", path="book.pdf", edits=[{"op": "rotate", "angle": 45}])
    assert book.read_bytes() == before


def test_splitting_by_number_ranges_and_bookmarks(ok: Ok, book: Path, files: Path) -> None:
    every = ok("split_pdf", path="book.pdf", folder="a", every=4)["files"]
    assert [list_page_numbers(files / part["path"]) for part in every] == [[1, 2, 3, 4], [5, 6]]
    ranges = ok("split_pdf", path="book.pdf", folder="b", by="ranges", ranges=["2,1", "last"])["files"]
    assert [list_page_numbers(files / area["path"]) for area in ranges] == [[2, 1], [6]]
    chapters = ok("split_pdf", path="book.pdf", folder="c", by="bookmarks")["files"]
    assert [chapter["path"] for chapter in chapters] == [f"c/book 0{n} Chapter {n}.pdf" for n in (1, 2, 3)]
    assert list_page_numbers(files / chapters[1]["path"]) == [3, 4]
    assert ok("list_pdf_items", path=chapters[1]["path"], what="outline")["total"] == 2
    assert b"page number 5" not in everything_decoded(files / chapters[1]["path"])


def test_encryption_stays_through_edits_and_goes_only_for_the_owner(
    ok: Ok, refused: Callable[..., str], book: Path
) -> None:
    ok("rewrite_pdf", path="book.pdf", action="encrypt", new_password="user", owner_password="owner", allow=["print"])
    assert "no password was given" in refused("read_pdf_text", path="book.pdf")
    assert "does not open it" in refused("inspect_pdf", path="book.pdf", password="wrong")
    ok("stamp_pdf", path="book.pdf", stamps=[{"text": "seen"}], password="user")
    info = ok("inspect_pdf", path="book.pdf", password="user")
    assert "256 bits, revision 6" in info["encryption"]
    assert info["denied"] == ["copy", "change", "assemble", "annotate", "fill forms"]
    assert "owner" in refused("rewrite_pdf", path="book.pdf", action="decrypt", password="user")
    ok("rewrite_pdf", path="book.pdf", action="decrypt", password="owner")
    assert "encryption" not in ok("inspect_pdf", path="book.pdf")


def test_pages_leave_a_protected_file_only_for_its_owner(
    ok: Ok, refused: Callable[..., str], book: Path, letter: Path, files: Path
) -> None:
    ok("rewrite_pdf", path="book.pdf", action="encrypt", new_password="user", owner_password="owner", allow=["print"])

    def takers(password: str) -> list[tuple[str, dict[str, Any]]]:
        insert = [{"op": "insert", "source": "book.pdf", "pages": "1"}]
        return [
            ("merge_pdfs", {"sources": [{"path": "book.pdf", "password": password}], "target": "out.pdf"}),
            ("split_pdf", {"path": "book.pdf", "folder": "parts", "password": password}),
            ("arrange_pdf_pages", {"path": "letter.pdf", "edits": insert, "insert_password": password}),
        ]

    before = letter.read_bytes()
    for tool, arguments in takers("user"):
        assert "others may not copy and assemble; pass the owner's `password`" in refused(tool, **arguments)
    assert letter.read_bytes() == before
    assert not (files / "out.pdf").exists()
    assert not (files / "parts").exists()
    for tool, arguments in takers("owner"):
        assert "the file is encrypted, what was made of its pages is not" in ok(tool, **arguments)["warnings"][0]


def test_pages_leave_a_file_that_may_be_copied_and_assembled(ok: Ok, book: Path) -> None:
    allow = ["copy", "assemble"]
    ok("rewrite_pdf", path="book.pdf", action="encrypt", new_password="user", owner_password="owner", allow=allow)
    done = ok("merge_pdfs", sources=[{"path": "book.pdf", "password": "user"}], target="out.pdf")
    assert "(print, print in low resolution, change, annotate, fill forms) is not denied there" in done["warnings"][0]


@pytest.mark.parametrize(
    ("tool", "arguments", "right"),
    [
        ("arrange_pdf_pages", {"edits": [{"op": "rotate"}]}, "assemble"),
        ("set_pdf_outline", {"entries": []}, "assemble"),
        ("annotate_pdf", {"add": [{"kind": "note", "page": 1, "boxes": [[9, 9]], "text": "x"}]}, "annotate"),
        ("stamp_pdf", {"stamps": [{"text": "seen"}]}, "change"),
        ("redact_pdf", {"terms": ["Antrag"]}, "change"),
        ("flatten_pdf", {}, "change"),
        ("attach_pdf_files", {"files": ["form.pdf"]}, "change"),
        ("set_pdf_metadata", {"properties": {"title": "x"}}, "change"),
        ("fill_pdf_form", {"values": {"notes": "x"}}, "fill_forms"),
        ("fill_pdf_form", {"values": {"notes": "x"}, "flatten": True}, "change"),
    ],
)
def test_a_change_that_the_owner_denies_says_so(
    ok: Ok, form: Path, tool: str, arguments: dict[str, Any], right: str
) -> None:
    protection: dict[str, Any] = {"action": "encrypt", "new_password": "user", "owner_password": "owner"}
    ok("rewrite_pdf", path="form.pdf", target="closed.pdf", **protection, allow=["print"])
    ok("rewrite_pdf", path="form.pdf", target="open.pdf", **protection, allow=["print", right])
    message = f"the owner of the file denies others to {right.replace('_', ' ')}"
    for path, password, count in (("closed.pdf", "owner", 0), ("open.pdf", "user", 0), ("closed.pdf", "user", 1)):
        done = ok(tool, path=path, password=password, target="out.pdf", **arguments)
        assert " ".join(done.get("warnings", [])).count(message) == count


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("rewrite_pdf", {"action": "repair"}),
        ("rewrite_pdf", {"action": "decrypt", "password": "owner"}),
        ("stamp_pdf", {"stamps": [{"text": "seen", "pages": "1"}]}),
    ],
)
def test_a_file_whose_objects_are_compressed_grows_by_little(
    ok: Ok, files: Path, tool: str, arguments: dict[str, Any]
) -> None:
    path = files / "packed.pdf"
    protection = pikepdf.Encryption(user="", owner="owner") if "password" in arguments else False
    with pikepdf.new() as pdf:
        for number in range(200):
            pdf.add_blank_page()
            pdf.pages[-1].obj.Note = pikepdf.String(f"Page {number} has a long note. " * 4)
        pdf.save(path, object_stream_mode=pikepdf.ObjectStreamMode.generate, encryption=protection)
    if arguments.get("action") == "repair":
        path.write_bytes(path.read_bytes().replace(b"startxref\n", b"startxref\n9"))
    before = path.stat().st_size
    ok(tool, path="packed.pdf", **arguments)
    assert path.stat().st_size < before * 1.1 + 2000
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == 200
        assert pdf.pages[199].obj.Note == "Page 199 has a long note. " * 4


def test_metadata_is_set_in_both_places_and_scrubbed(ok: Ok, book: Path) -> None:
    with pikepdf.open(book, allow_overwriting_input=True) as pdf:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as meta:
            meta["dc:title"] = "Old"
        pdf.save(book)
    reply = ok("set_pdf_metadata", path="book.pdf", properties={"title": "Título Ł", "author": "Ann"}, language="es")
    assert (reply["values"]["Title"], reply["values"]["Author"]) == ("Título Ł", "Ann")
    assert reply["values"]["Language"] == "es"
    assert reply["values"]["ModDate"] == "D:20260316090000+00'00'"
    with pikepdf.open(book) as pdf, pdf.open_metadata() as meta:
        assert (meta["dc:title"], meta["dc:creator"]) == ("Título Ł", ["Ann"])
    assert ok("set_pdf_metadata", path="book.pdf", scrub=True)["values"] == {}
    with pikepdf.open(book) as pdf:
        assert "/Metadata" not in pdf.Root
        assert "/Info" not in pdf.trailer


def test_attachments_come_back_byte_for_byte(ok: Ok, refused: Callable[..., str], book: Path, files: Path) -> None:
    (files / "Zahlen ä.csv").write_bytes(bytes(range(256)))
    ok("attach_pdf_files", path="book.pdf", files=["Zahlen ä.csv"], descriptions=["the figures"])
    listed = ok("list_pdf_items", path="book.pdf", what="attachments")["items"]
    assert [(attachment["text"], attachment["description"]) for attachment in listed] == [
        ("Zahlen ä.csv", "the figures")
    ]
    extracted_files = ok("extract_pdf_files", path="book.pdf", folder="out", what="attachments")["files"]
    assert extracted_files[0]["path"] == "out/Zahlen ä.csv"
    assert (files / extracted_files[0]["path"]).read_bytes() == bytes(range(256))
    assert "'x'" in refused("attach_pdf_files", path="book.pdf", delete=["x"])
    assert "none" in ok("attach_pdf_files", path="book.pdf", delete=["Zahlen ä.csv"])["done"]


def test_bookmarks_are_replaced(ok: Ok, refused: Callable[..., str], book: Path) -> None:
    entries = [{"title": "Ä", "page": 1}, {"title": "B", "page": 2, "level": 2, "top": 40}, {"title": "C", "page": 6}]
    ok("set_pdf_outline", path="book.pdf", entries=entries)
    items = ok("list_pdf_items", path="book.pdf", what="outline")["items"]
    assert [(item["text"], item["to_page"], item["level"]) for item in items] == [("Ä", 1, 1), ("B", 2, 2), ("C", 6, 1)]
    assert "a level may be at most one deeper" in refused(
        "set_pdf_outline", path="book.pdf", entries=[{"title": "x", "page": 1, "level": 2}]
    )


def test_large_images_become_smaller_and_equal_streams_one(ok: Ok, files: Path) -> None:
    Image.effect_noise((1600, 1600), 60).convert("RGB").save(files / "noise.png")
    canvas = Canvas(str(files / "big.pdf"), pagesize=(300, 300), invariant=1)
    canvas.drawImage(str(files / "noise.png"), 0, 0, 144, 144)
    canvas.save()
    ok("merge_pdfs", sources=[{"path": "big.pdf"}, {"path": "big.pdf"}], target="twice.pdf")
    done = ok("rewrite_pdf", path="twice.pdf", action="compress", image_dpi=100)["done"]
    assert "2 images downsampled" in done
    assert (files / "twice.pdf").stat().st_size < 200_000
    images = ok("list_pdf_items", path="twice.pdf", what="images")["items"]
    assert [(image["width_px"], image["dpi"], image["kind"]) for image in images] == [(200, 100, "DCTDecode")] * 2


def test_pdfs_from_markdown_html_and_pictures(ok: Ok, scan: Path, files: Path) -> None:
    pictures = "![s](scan.png)\n\n![n](https://example.org/x.png) ![o](../../etc.png)"
    markdown = f"# Grüße 王\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n{pictures}"
    reply = ok("create_pdf", path="md.pdf", markdown=markdown, title="T")
    assert len(reply["warnings"]) == 2
    assert "no network" in reply["warnings"][0]
    assert "Grüße 王" in text_of(files / "md.pdf")
    assert ok("list_pdf_items", path="md.pdf", what="images")["total"] == 1
    ok("create_pdf", path="h.pdf", html="<p>a</p><p style='break-before: page'>b</p>", paper="A5", landscape=True)
    assert ok("inspect_pdf", path="h.pdf")["pages"] == 2
    ok("create_pdf", path="i.pdf", images=["scan.png"], paper="image")
    assert ok("inspect_pdf", path="i.pdf")["page_sizes"] == {"595.2 x 432": "1"}
    ok("create_pdf", path="md2.pdf", markdown=markdown, title="T")
    assert (files / "md.pdf").read_bytes() == (files / "md2.pdf").read_bytes()


def test_comparing_names_words_pages_and_places(ok: Ok, book: Path, files: Path) -> None:
    ok("arrange_pdf_pages", path="book.pdf", edits=[{"op": "delete", "pages": "4"}], target="b.pdf")
    ok("stamp_pdf", path="b.pdf", stamps=[{"text": "NEW", "pages": "2", "position": "top-right"}])
    comparison = ok("compare_pdfs", path="book.pdf", other="b.pdf")
    assert not comparison["same_text"]
    changed = [pair for pair in comparison["pairs"] if pair.get("changes")]
    assert [(pair["page_before"], pair["page_after"]) for pair in changed] == [(2, 2)]
    assert changed[0]["changes"] == [
        {"kind": "added", "after": "NEW", "boxes_after": changed[0]["changes"][0]["boxes_after"]}
    ]
    assert len(changed[0]["visual_boxes"]) == 1
    assert [pair["page_before"] for pair in comparison["pairs"] if pair["page_after"] is None] == [4]
    same = ok("compare_pdfs", path="book.pdf", other="book.pdf")
    assert same == {"same_text": True, "same_look": True, "pages_before": 6, "pages_after": 6}


def test_an_image_too_large_to_decode_stays_as_it_is(ok: Ok, files: Path) -> None:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(72, 72))
    image = pikepdf.Stream(pdf, zlib.compress(bytes(20_000 * 20_000), 1))
    image.Type, image.Subtype, image.Filter = pikepdf.Name.XObject, pikepdf.Name.Image, pikepdf.Name.FlateDecode
    image.Width = image.Height = 20_000
    image.BitsPerComponent, image.ColorSpace = 8, pikepdf.Name.DeviceGray
    page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image))
    page.obj.Contents = pdf.make_stream(b"q 72 0 0 72 0 0 cm /I Do Q " + b"% filler that compresses\n" * 500)
    pdf.save(files / "big.pdf", compress_streams=False)
    ok("rewrite_pdf", path="big.pdf", action="compress", image_dpi=100)
    with pikepdf.open(files / "big.pdf") as new_pdf:
        assert new_pdf.pages[0].obj.Resources.XObject.I.Width == 20_000


def test_every_page_of_a_tiff_becomes_one_and_of_an_animation_it_is_said(ok: Ok, files: Path) -> None:
    colors = ["red", "lime", "blue"]
    frames = [Image.new("1" if color == "lime" else "RGB", (200, 100), color) for color in colors]
    frames[0].save(files / "fax.tiff", save_all=True, append_images=frames[1:])
    frames[0].save(files / "moves.gif", save_all=True, append_images=[frames[2]])
    done = ok("create_pdf", path="fax.pdf", images=["fax.tiff", "moves.gif"], paper="image")
    assert done["done"] == "Made 4 pages"
    assert done["warnings"] == ["of the 2 pictures in 'moves.gif' only the first is shown"]
    page_pixels = [pixels_of(files / "fax.pdf", page).getpixel((50, 40)) for page in (1, 2, 3, 4)]
    assert page_pixels == [(255, 0, 0), (255, 255, 255), (0, 0, 255), (255, 0, 0)]


def test_a_picture_in_deep_greys_keeps_its_shades_as_a_page_and_as_a_stamp(ok: Ok, files: Path) -> None:
    row = (20_000).to_bytes(2, "little") * 100 + (50_000).to_bytes(2, "little") * 100
    deep = Image.frombytes("I;16", (200, 100), row * 100)
    deep.save(files / "scan.png")
    ok("create_pdf", path="scan.pdf", images=["scan.png"], paper="image")
    canvas = Canvas(str(files / "b.pdf"), pagesize=(300, 200))
    canvas.showPage()
    canvas.save()
    ok("stamp_pdf", path="b.pdf", stamps=[{"image": "scan.png", "box": [0, 0, 150, 75]}])
    for name in ("scan.pdf", "b.pdf"):
        page = pixels_of(files / name)
        for place, grey in (((30, 40), 78), ((120, 40), 195)):
            shade = page.getpixel(place)
            assert isinstance(shade, tuple)
            assert abs(shade[0] - grey) < 3


def test_a_comparison_names_the_words_that_went_although_their_gap_looks_like_two_columns(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "k.pdf"), pagesize=(595, 842), invariant=1)
    for line in range(20):
        words = f"Line {line} of the agreement between Ann Lee and Bob Ray, sum EUR {line}."
        canvas.drawString(72, 730 - 25 * line, words)
    canvas.save()
    ok("redact_pdf", path="k.pdf", terms=["Ann Lee"], target="r.pdf")
    [pair] = ok("compare_pdfs", path="k.pdf", other="r.pdf", compare="text")["pairs"]
    assert {(change["kind"], change["before"]) for change in pair["changes"]} == {("deleted", "Ann Lee")}
    assert len(pair["changes"]) == 20
