"""The dialect of GTA: its names, arguments and text formats, without its defects."""

import csv
import io
import json
import re
import wave
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastmcp import FastMCP
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import ImageContent
from PIL import Image
from support.books import open_book
from support.drawn import LETTER, draw_letter
from support.pictures import COFFEE
from support.scenes import Drawn, draw_scene
from support.sounds import YOUNG_MAN, copy_sound
from support.speaking import Agent
from support.videos import write_video

from yardkit.compat.gta.calculator import Calculator
from yardkit.compat.gta.sheets import CsvFileGenerator, ReadCSV
from yardkit.kit.dialect import cut_page
from yardkit.kit.sound_streams import Form
from yardkit.kit.sounds import read_sound
from yardkit.kit.surface import MAX_TEXT
from yardkit.sandbox.serving.catalog import list_catalog
from yardkit.sandbox.serving.registry import chosen_servers
from yardkit.sandbox.serving.workspace_server import build_server
from yardkit.servers.video.engine.streams import Shape, Sound, read_pictures
from yardkit.servers.video.engine.streams import write_video as write_stream
from yardkit.world import World, use_world

TOOLS: dict[str, list[str]] = json.loads(Path(__file__).with_name("gta_tools.json").read_text())
"""Every tool of GTA and GTA-2 with its arguments; those with a default end in ``?``."""
SERVING = Path(__file__).parents[3] / "docs" / "serving.md"
PROVED = "证明成功:定理为重言式。"
REFUTED = "定理不成立,反例:"


@pytest.fixture(scope="module")
def every() -> FastMCP[Any]:
    """All servers that speak the dialect."""
    return build_server(chosen_servers(["all"], "gta"), "gta")


@pytest.fixture
def agent(every: FastMCP[Any], tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="gta", seed=1)
    with use_world(world):
        yield Agent(every, world.files)


def test_a_recorded_call_fits_the_arguments_of_each_tool() -> None:
    for entry in list_catalog(dialect="gta"):
        for tool in entry.tools:
            theirs = TOOLS[tool.name]
            assert tool.arguments[: len(theirs)] == theirs or set(theirs) <= set(tool.arguments), tool.name
            assert all(name.endswith("?") for name in set(tool.arguments) - set(theirs)), tool.name


def test_the_document_lists_the_tools_which_are_all_that_gta_has() -> None:
    text = SERVING.read_text("utf-8")
    [listed] = re.findall(r"^The dialect `gta` covers all .*?:\n\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    covered = re.findall(r"`(\w+)`", listed)
    assert sorted(covered) == sorted(tool.name for entry in list_catalog(dialect="gta") for tool in entry.tools)
    assert sorted(covered) == sorted(TOOLS)
    assert f"covers all {len(covered)} tools of GTA" in text


async def test_text_of_a_video_is_told_frame_by_frame(agent: Agent) -> None:
    write_video(
        agent.files / "film.mp4", [draw_letter(24, ["Gate closes at 14:35"], wide=14).crop((0, 0, 336, 96))] * 8
    )
    lines = (await agent.says("VideoOCR", video="film.mp4", frame_skip=3)).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Frame 0", "Frame 3", "Frame 6"]
    assert re.fullmatch(r"Frame 6: \(\d+, \d+, \d+, \d+\) Gate closes at 14:35", lines[2])


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("3 * 43", "129"),
        ("2 * 3.5", "7.0"),
        ("10 / 2", "5.0"),
        ("1 / 3", "0.3333333333333333"),
        ("2 ** -1", "0.5"),
        ("math.sqrt(16) + 1", "5.0"),
        ("round(7.2)", "7"),
        ("round(7.04, 1)", "7.0"),
        ("floor(7.5) * 2", "14"),
        ("max(1, 2.0)", "2.0"),
        ("sum([1, 2, 3])", "6"),
        ("3 > 2", "True"),
        ("2 ** 100", str(2**100)),
        ("1e22", "1e+22"),
        ("sqrt(2)", "1.4142135623730951"),
    ],
)
async def test_calculator_writes_a_value_as_python_does(agent: Agent, expression: str, value: str) -> None:
    assert await agent.says("Calculator", expression=expression) == value


_numbers = st.one_of(st.integers(0, 999).map(str), st.integers(0, 999).map(lambda n: f"{n}.5"))


@given(st.lists(_numbers, min_size=1, max_size=6), st.lists(st.sampled_from("+-*"), min_size=6, max_size=6))
def test_calculator_agrees_with_python_wherever_doubles_are_exact(numbers: list[str], signs: list[str]) -> None:
    expression = numbers[0] + "".join(sign + number for sign, number in zip(signs, numbers[1:], strict=False))
    assert Calculator(expression) == str(eval(expression))


async def test_calculator_does_not_round_and_its_errors_are_errors(agent: Agent) -> None:
    assert await agent.says("Calculator", expression="0.1 + 0.2") == "0.3"
    assert "divides by zero" in await agent.call_for_error("Calculator", expression="1 / 0")
    assert "too large" in await agent.call_for_error("Calculator", expression="9**9**9")
    assert "not arithmetic" in await agent.call_for_error("Calculator", expression="().__class__.__mro__[1]")


async def test_solver_gives_what_solution_returns(agent: Agent) -> None:
    code = "def solution():\n    x = symbols('x')\n    return solve(Eq(x**2, 4), x)\n"
    assert await agent.says("Solver", command=code) == "[-2, 2]"
    assert await agent.says("Solver", command=f"The code:\n```python\n{code}```\n") == "[-2, 2]"


async def test_solver_code_is_isolated_and_its_errors_are_errors(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_TEST_SECRET", "canary")
    leak = "import os\ndef solution():\n    return dict(os.environ)"
    assert "canary" not in await agent.says("Solver", command=leak)
    (agent.files / "data.txt").write_text("42")
    write = "def solution():\n    open('data.txt', 'w').write('0')\n    open('new.txt', 'w')"
    await agent.answer("Solver", command=write)
    assert [path.read_text() for path in agent.files.iterdir()] == ["42"]
    assert await agent.says("Solver", command="def solution():\n    return open('data.txt').read()") == "42"
    assert "ZeroDivisionError" in await agent.call_for_error("Solver", command="def solution():\n    return 1 / 0")
    assert "solution()" in await agent.call_for_error("Solver", command="x = 1")


async def test_plot_saves_a_png_that_can_be_looked_at(agent: Agent) -> None:
    code = "```python\ndef solution():\n    figure = plt.figure()\n    plt.plot([1, 4, 9])\n    return figure\n```"
    result = await agent.answer("Plot", command=code)
    path = result.content[0].text
    assert re.fullmatch(r"generated/plot_[0-9a-f]{8}\.png", path)
    assert any(isinstance(block, ImageContent) for block in result.content)
    with Image.open(agent.files / path) as picture:
        assert picture.format == "PNG"
        assert len(picture.convert("RGB").getcolors(100_000) or []) > 2
    assert await agent.says("Plot", command=code) == path
    assert await agent.says("Plot", command=code.replace("9", "8")) != path


async def test_plot_without_a_figure_is_an_error_and_leaves_no_file(agent: Agent) -> None:
    assert "returned int" in await agent.call_for_error("Plot", command="def solution():\n    return 3")
    assert list(agent.files.iterdir()) == []


async def test_ocr_gives_a_box_and_a_text_per_line(agent: Agent) -> None:
    image = draw_letter()
    image.save(agent.files / "letter.png")
    lines = (await agent.says("OCR", image="letter.png")).splitlines()
    parsed = [re.fullmatch(r"\((\d+), (\d+), (\d+), (\d+)\) (.+)", line) for line in lines]
    assert [match[5].replace(" ", "") for match in parsed if match] == [line.replace(" ", "") for line in LETTER]
    for match in parsed:
        assert match
        left, top, right, bottom = map(int, match.groups()[:4])
        assert 0 <= left < right <= image.width
        assert 0 <= top < bottom <= image.height


@pytest.mark.drill
async def test_ocr_of_an_empty_image_is_empty(agent: Agent) -> None:
    Image.new("RGB", (200, 100), "white").save(agent.files / "blank.png")
    assert await agent.says("OCR", image="blank.png") == ""
    (agent.files / "text.png").write_text("no image")
    assert "text.png" in await agent.call_for_error("OCR", image="text.png")


async def test_text_to_bbox_gives_a_box_and_a_percentage(agent: Agent) -> None:
    (agent.files / "coffee.jpg").write_bytes(COFFEE.read_bytes())
    line = await agent.says("TextToBbox", image="coffee.jpg", text="the cup")
    match = re.fullmatch(r"\((\d+), (\d+), (\d+), (\d+)\), score (\d+)", line)
    assert match
    assert 40 < int(match[5]) <= 100
    assert await agent.says("TextToBbox", image="coffee.jpg", text="zebra", top1=False) == "No object found."
    assert "does not know 'red forklift'" in await agent.call_for_error(
        "TextToBbox", image="coffee.jpg", text="a red forklift"
    )


async def test_count_given_object_is_a_number_or_an_error_in_words(agent: Agent) -> None:
    (agent.files / "coffee.jpg").write_bytes(COFFEE.read_bytes())
    things = [
        Drawn("circle", "red", 90, 90, 30),
        Drawn("square", "red", 200, 90, 30),
        Drawn("circle", "blue", 400, 300, 40),
    ]
    draw_scene(things).save(agent.files / "scene.png")
    for text, count in (("red circles", "1"), ("circles", "2"), ("the red objects", "2"), ("green stars", "0")):
        assert await agent.says("CountGivenObject", image="scene.png", text=text) == count
    assert await agent.says("CountGivenObject", image="scene.png", text="things", bbox="(0, 0, 300, 200)") == "2"
    assert await agent.says("CountGivenObject", image="coffee.jpg", text="cups") == "1"
    assert "cannot be told" in await agent.call_for_error("CountGivenObject", image="coffee.jpg", text="zebras")
    assert "'(x1, y1, x2, y2)'" in await agent.call_for_error(
        "CountGivenObject", image="scene.png", text="stars", bbox="left"
    )


async def test_video_object_detection_has_a_line_for_each_frame(agent: Agent) -> None:
    with Image.open(COFFEE) as coffee:
        write_video(agent.files / "film.mp4", [coffee.resize((300, 200))] * 4 + [Image.new("RGB", (300, 200))] * 2)
    lines = (await agent.says("VideoObjectDetection", video="film.mp4", frame_skip=2)).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Frame 0", "Frame 2", "Frame 4"]
    assert re.fullmatch(r"Frame 0: (\(\d+, \d+, \d+, \d+\) conf: 0\.\d\d, class: cup \(41\))( \| .*)?", lines[0])
    assert lines[2] == "Frame 4: (no detections)"


async def call_prover(agent: Agent, theorem: str) -> str:
    """The answer with the full-width signs of Chinese text as their ASCII twins."""
    return (await agent.says("Prover", theorem=theorem)).replace("\uff1a", ":").replace("\uff0c", ",")


@pytest.mark.parametrize(
    ("theorem", "answer"),
    [
        ("(declare-const p Bool) (assert (or p (not p)))", PROVED),
        ("(declare-const x Int)(assert (= x x)) ; all\n(assert (>= (* x x) 0) ; squares\n)\n(check-sat)", PROVED),
        ("(declare-const x Int) (assert (< x x))", f"{REFUTED}[x = 0]"),
        ("(declare-const x Int) (assert (not (= x (- 5))))", f"{REFUTED}[x = -5]"),
        ("(declare-const r Real) (assert (not (= (* 2.0 r) 1.0)))", f"{REFUTED}[r = 1/2]"),
        ("(declare-const p Bool) (assert (not p))", f"{REFUTED}[p = True]"),
    ],
)
async def test_prover_says_proved_or_gives_a_counter_example(agent: Agent, theorem: str, answer: str) -> None:
    assert await call_prover(agent, theorem) == answer


@pytest.mark.parametrize(
    ("theorem", "wrong"),
    [
        ("(declare-const x Int) (assert (> x", "never closed"),
        ("(assert (> y 3))", "unknown constant y"),
        ("(declare-const x Int)", "has no assertion"),
        ("(declare-const p Bool) (push) (assert p) (pop)", "'push' is not allowed in a theorem"),
        ("(include |/etc/passwd|)", "not allowed"),
    ],
)
async def test_prover_tells_what_is_wrong_with_a_script_as_an_error(agent: Agent, theorem: str, wrong: str) -> None:
    assert wrong in await agent.call_for_error("Prover", theorem=theorem)


async def test_csv_comes_back_as_it_was_written(agent: Agent) -> None:
    data = json.dumps([["name", "code", "n"], ["tea, green", "007", 2], ['a "b"', None, 2.5]])
    assert await agent.says("CsvFileGenerator", filename="menu", data_str=data) == "generated/menu.csv"
    assert (agent.files / "generated/menu.csv").read_bytes() == (
        b'name,code,n\r\n"tea, green",007,2\r\n"a ""b""",,2.5\r\n'
    )
    read = await agent.says("ReadCSV", csv_file="generated/menu.csv")
    assert read == 'name,code,n\n"tea, green",007,2\n"a ""b""",,2.5\n'


_words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(_words, min_size=width, max_size=width), min_size=1)))
def test_any_table_of_texts_survives_csv(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    files = tmp_path_factory.getbasetemp() / "tables"
    files.mkdir(exist_ok=True)
    with use_world(World.open_user_folder(files)):
        written = CsvFileGenerator("t", json.dumps(rows))
        csv_text = ReadCSV(files / str(written))
    assert list(csv.reader(io.StringIO(csv_text, newline=""))) == rows


async def test_csv_of_any_make_is_read_as_it_stands(agent: Agent) -> None:
    (agent.files / "de.csv").write_bytes('Größe;"Preis"\r\n2;1,50\r\n'.encode("cp1252"))
    answer = await agent.says("ReadCSV", csv_file="de.csv")
    assert answer.startswith("Größe;\"Preis\"\n2;1,50\n\nNote: 'de.csv' was read as cp1252")
    (agent.files / "picture.csv").write_bytes(b"\x89PNG\0\0")
    assert "is binary, not text" in await agent.call_for_error("ReadCSV", csv_file="picture.csv")


async def test_a_workbook_has_typed_cells_and_computed_formulas(agent: Agent) -> None:
    data = json.dumps([["item", "price"], ["tea", 3.5], ["'quoted", 2], ["total", "=SUM(B2:B3)"], ["2026-01-01", True]])
    path = await agent.says("XlsxFileGenerator", filename="menu", data_str=data, output_dir="out")
    assert path == "out/menu.xlsx"
    cells = [[cell.value for cell in row] for row in open_book(agent.files / path, data_only=True).active.iter_rows()]
    assert cells == [["item", "price"], ["tea", 3.5], ["'quoted", 2], ["total", 5.5], ["2026-01-01", True]]
    read = await agent.says("ReadXLSX", file=path)
    assert read == "item,price\ntea,3.5\n'quoted,2\ntotal,5.5\n2026-01-01,TRUE\n"


async def test_a_second_delivery_replaces_the_first(agent: Agent) -> None:
    await agent.says("XlsxFileGenerator", filename="t", data_str="[[1, 2], [3, 4]]")
    await agent.says("XlsxFileGenerator", filename="t.xlsx", data_str="[[5]]")
    assert [path.name for path in (agent.files / "generated").iterdir()] == ["t.xlsx"]
    assert await agent.says("ReadXLSX", file="generated/t.xlsx") == "5\n"


async def test_every_sheet_can_be_read_and_formulas_without_a_value_are_computed(agent: Agent) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append([2, "=A1*21"])
    book.create_sheet("Costs").append(["rent", 900])
    book.save(agent.files / "book.xlsx")
    before = (agent.files / "book.xlsx").read_bytes()
    assert await agent.says("ReadXLSX", file="book.xlsx") == (
        "2,42\n[this is the sheet 'Sheet'; others, by sheet=: 'Costs']\n"
    )
    assert await agent.says("ReadXLSX", file="book.xlsx", sheet="Costs") == "rent,900\n"
    assert (agent.files / "book.xlsx").read_bytes() == before


@pytest.mark.parametrize("tool", ["CsvFileGenerator", "XlsxFileGenerator"])
@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ("nope", "Invalid JSON"),
        ('{"a": 1}', "valid array"),
        ('[["a"], "b"]', "data_str[1] is not right"),
        ('[[{"a": 1}]]', "data_str[0][0] is not right: a value is text"),
        ("[]", "no values"),
        ("[[]]", "no values"),
    ],
)
async def test_wrong_tables_are_errors_and_leave_no_file(agent: Agent, tool: str, data: str, wrong: str) -> None:
    assert wrong in await agent.call_for_error(tool, filename="t", data_str=data)
    assert list(agent.files.iterdir()) == []


async def test_html_is_a_whole_page_and_stays_as_it_is_when_it_is_one(agent: Agent) -> None:
    assert await agent.says("HtmlFileGenerator", filename="a <b>", html_code="<h1>Täglich</h1>") == (
        "generated/a <b>.html"
    )
    text = (agent.files / "generated/a <b>.html").read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>\n<html>")
    assert "<title>a &lt;b&gt;</title>" in text
    assert "<body>\n<h1>Täglich</h1>\n</body>" in text
    full_page = "<!doctype html><html lang='de'><body>{x}</body></html>\n"
    path = await agent.says("HtmlFileGenerator", filename="w.html", html_code=f"```html\n{full_page}```")
    assert (agent.files / path).read_text("utf-8") == full_page


async def test_html_of_several_markdown_blocks_is_refused_not_cut(agent: Agent) -> None:
    code = "```html\n<p>one</p>\n```\nand\n```css\np {}\n```"
    assert "2 Markdown blocks" in await agent.call_for_error("HtmlFileGenerator", filename="p", html_code=code)


@pytest.mark.parametrize(
    ("tool", "content"),
    [
        ("CsvFileGenerator", {"data_str": "[[1]]"}),
        ("XlsxFileGenerator", {"data_str": "[[1]]"}),
        ("HtmlFileGenerator", {"html_code": "<p>x</p>"}),
    ],
)
@pytest.mark.parametrize(
    "name",
    ["../escape", "../../escape", "sub/../../escape", "/etc/escape", "/escape", "out/escape", "a\0b", "\ud800", "../"],
)
async def test_a_file_name_cannot_lead_out_of_its_folder(agent: Agent, tool: str, content: Any, name: str) -> None:
    outside = agent.files.parent.parent / "outside"
    outside.mkdir()
    (agent.files / "generated").mkdir()
    (agent.files / "generated" / "out").symlink_to(outside)
    for folder in ({}, {"output_dir": "generated"}):
        assert await agent.call_for_error(tool, filename=name, **content, **folder)
    assert list(outside.iterdir()) == []
    assert [path.name for path in agent.files.rglob("*")] == ["generated", "out"]
    assert "outside the workspace" in await agent.call_for_error(tool, filename="x", output_dir="../outside", **content)


@given(st.text(max_size=3 * MAX_TEXT // 1000), st.integers(1, 5000))
def test_the_pages_of_a_text_put_together_are_the_text(line: str, times: int) -> None:
    text, offset, parts = line * times, 0, []
    while True:
        part = cut_page(text, offset)
        assert len(part.text) <= MAX_TEXT
        parts.append(part.text)
        if part.next_offset is None:
            break
        assert part.next_offset > offset
        assert f"offset={part.next_offset}" in str(part)
        offset = part.next_offset
    assert "".join(parts) == text


async def test_a_long_table_comes_in_pages(agent: Agent) -> None:
    (agent.files / "long.csv").write_text("".join(f"{n},row\n" for n in range(10_000)))
    first = await agent.answer("ReadCSV", csv_file="long.csv")
    following = first.structured_content["next_offset"]
    assert f"go on with offset={following}" in first.content[0].text
    rest = await agent.answer("ReadCSV", csv_file="long.csv", offset=following)
    assert first.structured_content["text"].endswith("row\n")
    assert rest.structured_content["text"].splitlines()[0].endswith(",row")
    assert "beyond the end" in await agent.call_for_error("ReadCSV", csv_file="long.csv", offset=10**9)


async def test_a_recording_is_given_as_the_text_alone(agent: Agent) -> None:
    assert (
        await agent.says("SpeechToText", audio=copy_sound(YOUNG_MAN, agent.files))
        == "He was not an ill-disposed young man."
    )


async def test_boxes_and_text_are_drawn_and_sharpness_is_told_as_gta_does(agent: Agent) -> None:
    Image.new("RGB", (200, 100), "white").save(agent.files / "white.png")
    boxed = await agent.says("DrawBox", image="white.png", bbox="(40, 30, 160, 90)", annotation="here")
    assert boxed == "generated/white_boxed.png"
    with Image.open(agent.files / "generated/white_boxed.png") as drawn:
        assert (drawn.getpixel((40, 60)), drawn.getpixel((100, 60))) == ((255, 0, 0), (255, 191, 191))
    await agent.says("AddText", image="white.png", text="top", position="mt", filename="t")
    with Image.open(agent.files / "generated/t.png") as written:
        box = written.convert("L").point(lambda value: 255 - value).getbbox()
    assert box is not None
    assert box[3] < 60
    sharp = await agent.says("ImageQualityTest", image="white.png")
    assert sharp == "Laplacian variance: 0.00, Blurry: True"
    assert "has 3 numbers; give 4" in await agent.call_for_error("DrawBox", image="white.png", bbox="1, 2, 3")


async def test_sounds_are_cut_cleaned_shifted_and_measured_as_gta_does(agent: Agent) -> None:
    tone = (0.3 * 32767 * np.sin(2 * np.pi * 440 * np.arange(3 * 16_000) / 16_000)).astype("<i2")
    with wave.open(str(agent.files / "tone.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(tone.tobytes())
    assert await agent.says("AudioClipTool", audio="tone.wav", start_time=1, end_time=2) == "generated/tone_clip.wav"
    with wave.open(str(agent.files / "generated/tone_clip.wav")) as clip:
        assert clip.getnframes() == 16_000
    assert await agent.says("PitchShifting", audio="tone.wav") == "generated/tone_pitchshift_+0.0.wav"
    assert await agent.says("NoiseReduction", audio="tone.wav") == "generated/tone_denoised.wav"
    characteristics = json.loads(await agent.says("SoundCharacteristicExtraction", audio="tone.wav"))
    assert len(characteristics["mfcc"]["mean"]) == len(characteristics["mfcc"]["var"]) == 13
    assert characteristics["spectral_centroid"]["mean"] == pytest.approx(440, rel=0.1)


async def test_videos_are_cut_with_their_sound_and_written_on_as_gta_does(agent: Agent) -> None:
    pictures = (np.full((64, 96, 3), number * 5, np.uint8) for number in range(50))
    tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(96_000) / 48_000)
    sound = Sound(iter([tone[None].astype(np.float32)]), Form(48_000, 1))
    write_stream(pictures, Shape(96, 64, Fraction(25)), sound, agent.files / "ramp.mp4")
    assert await agent.says("VideoClip", video="ramp.mp4", start_time=1, end_time=1.4) == "generated/ramp_clip.mp4"
    clip_pictures = list(read_pictures(agent.files / "generated/ramp_clip.mp4", Fraction(25)))
    assert (len(clip_pictures), int(clip_pictures[0].mean())) == (10, pytest.approx(125, abs=6))
    assert read_sound(agent.files / "generated/ramp_clip.mp4", 8000).samples.std() > 0.1
    written = await agent.says("AddTextVideoTool", video="ramp.mp4", text="HI", position="20,50", color="0,0,255")
    first = next(read_pictures(agent.files / written, Fraction(25)))
    assert first[:, :, 0].max() > 120
    assert "give 2 numbers" in await agent.call_for_error("AddTextVideoTool", video="ramp.mp4", position="middle")
