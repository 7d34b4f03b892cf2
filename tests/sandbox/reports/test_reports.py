import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.sax.saxutils import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.agents import command_of

from yardkit.__main__ import main
from yardkit.kit.markup import clean_text, escape_child, make_tag
from yardkit.sandbox.agents import Usage
from yardkit.sandbox.reports import render_run
from yardkit.sandbox.reports.pictures import Gallery
from yardkit.sandbox.runs.results import Result
from yardkit.sandbox.runs.run_directory import Plan, RunDirectory
from yardkit.sandbox.runs.summary import exit_code, summarize_results, verdict_sentence
from yardkit.world import remove_world, save_text

TASK = "quickstart/sort_inbox"

HOSTILE_AGENT = """
import asyncio, json, os
from pathlib import Path
import PIL.Image
from fastmcp import Client

files = Path(os.environ["YARDKIT_WORKSPACE"])
(files / "<script>alert(1)<script>.txt").write_text("<script>alert('text')</script>\\u202e\\x00\\x1b]]>")
(files / os.fsdecode(b"broken-\\xff.txt")).write_bytes(b"\\xff\\xfe")
PIL.Image.effect_noise((2400, 1800), 60).save(files / "large.png")
PIL.Image.new("RGB", (40, 30), "red").save(files / "small.png")
(files / "bomb.png").write_bytes((files / "small.png").read_bytes()[:16] + b"\\x7f\\xff\\xff\\xff" * 2 + b"\\0" * 40)
(files / "bad.png").write_bytes(b"no picture")
(files / "secret.txt").symlink_to("/etc/passwd")
(files / "secret.png").symlink_to("/etc/hostname")
(files / "inbox" / "todo.txt").unlink()

async def main():
    async with Client(json.loads(Path(os.environ["YARDKIT_MCP_CONFIG"]).read_text())) as client:
        for path in ("small.png", "large.png"):
            await client.call_tool("read_media", {"path": path}, raise_on_error=False)
        await client.call_tool("read_file", {"path": "<img src=x onerror=alert(2)>"}, raise_on_error=False)

asyncio.run(main())
print("</pre><script>alert(3)</script> \\x07 &amp; done")
"""


class Page(HTMLParser):
    """The elements of a page, and whether they are nested as they should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("img", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.seen if tag == name]


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run of an agent that puts hostile things wherever a report shows something."""
    folder = tmp_path_factory.mktemp("hostile")
    assert main(["run", TASK, "--agent", command_of(folder, HOSTILE_AGENT), "--runs", str(folder / "runs")]) == 1
    yield folder / "runs"
    remove_world(folder / "runs")


@pytest.fixture(scope="module")
def page(hostile_run: Path) -> Page:
    return Page((hostile_run / "report.html").read_text("utf-8"))


def test_the_page_is_whole_and_hostile_content_stays_text(page: Page) -> None:
    assert page.open == []
    assert not {"script", "b onmouseover", "iframe", "object", "link", "base", "form"} & {name for name, _ in page.seen}
    assert not any(name.startswith("on") for _, attributes in page.seen for name in attributes)
    for text in (
        "<script>alert(1)<script>.txt",
        "<script>alert('text')</script>",
        "<img src=x onerror=alert(2)>",
        "</pre><script>alert(3)</script>",
    ):
        assert text in page.text
    assert not re.search("[\x00-\x08\x1b\u202e\ud800-\udfff]", page.text)


def test_the_page_needs_nothing_from_elsewhere(hostile_run: Path, page: Page) -> None:
    for _, attributes in page.seen:
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            assert (attributes.get(name) or "#").startswith(("#", "data:"))
    text = (hostile_run / "report.html").read_text("utf-8")
    style = text[text.index("<style>") : text.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    policies = [meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert policies
    assert str(policies[0]).startswith("default-src 'none'")


def test_links_within_the_page_lead_somewhere(page: Page) -> None:
    targets = {f"#{attributes['id']}" for _, attributes in page.seen if "id" in attributes}
    links = {str(attributes["href"]) for attributes in page.all("a")}
    assert links
    assert links <= targets


def test_pictures_of_calls_and_of_the_work_are_shown_at_a_bounded_size(hostile_run: Path, page: Page) -> None:
    sources = [str(picture["src"]) for picture in page.all("img")]
    # Two delivered ones and two that calls showed; the large ones as thumbnails.
    assert sorted(source.partition(";")[0] for source in sources) == ["data:image/jpeg"] * 2 + ["data:image/png"] * 2
    large = hostile_run.rglob("final/files/large.png")
    assert next(large).stat().st_size > 2_000_000
    assert max(map(len, sources)) < 900_000
    assert page.text.count("not shown: ") == 2
    assert str(hostile_run) not in page.text


def test_links_out_of_the_workspace_are_not_followed(hostile_run: Path, page: Page) -> None:
    assert "secret.txt" in page.text
    assert "root:" not in page.text
    assert "root:" not in (hostile_run / "report.json").read_text("utf-8")


def test_everything_of_a_run_is_on_the_page(page: Page) -> None:
    for text in (
        "Today is Monday",
        "Invoices are sorted by year",
        "guardrail",
        "also touched",
        "read_media",
        "does not exist",
    ):
        assert text in page.text
    assert "the agent: a checkpoint was not met" in page.text
    assert "todo.txt" in page.text
    assert len([details for details in page.all("details") if details.get("class") == "call"]) == 3


def test_the_json_report_holds_all_of_it(hostile_run: Path) -> None:
    report = json.loads((hostile_run / "report.json").read_text("utf-8"))
    [run] = report["runs"]
    assert (run["task"], run["state"], run["at_fault"]) == (TASK, "failed", "agent")
    assert run["delivered"][0]["how"] in ("added", "deleted")
    assert {change["path"]: change["how"] for change in run["delivered"]}["inbox/todo.txt"] == "deleted"
    assert [call["tool"] for call in run["tool_calls"]] == ["read_media", "read_media", "read_file"]
    assert run["verdict"]["parts"]
    assert report["summary"]["pass_rate"] == 0.0


def test_junit_counts_failures_and_survives_hostile_text(hostile_run: Path) -> None:
    root = ET.fromstring((hostile_run / "junit.xml").read_text("utf-8"))
    suite = root.find("testsuite")
    assert suite is not None
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "1",
        "failures": "1",
        "errors": "0",
        "skipped": "0",
    }
    case = suite.find("testcase")
    assert case is not None
    assert (case.get("classname"), case.get("name")) == ("quickstart.sort_inbox", "seed 0")
    assert float(str(case.get("time"))) > 0
    failure = case.find("failure")
    assert failure is not None
    assert "invoices" in str(failure.get("message"))
    assert "</pre><script>" in str(case.findtext("system-out"))


def test_every_format_can_be_written_anywhere(
    hostile_run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form, name in (("html", "report.html"), ("json", "report.json"), ("junit", "junit.xml")):
        target = tmp_path / "deep" / name
        assert main(["report", str(hostile_run), "--format", form, "--output", str(target)]) == 0
        assert target.read_bytes() == (hostile_run / name).read_bytes()
    capsys.readouterr()
    assert main(["report", str(hostile_run), "--format", "junit"]) == 0
    assert capsys.readouterr().out == (hostile_run / "junit.xml").read_text("utf-8")


def test_a_directory_without_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("report", "regrade"):
        assert main([command, str(tmp_path)]) == 2
        assert "no run in" in capsys.readouterr().err


def test_a_run_without_its_folders_still_has_a_report(tmp_path: Path) -> None:
    assert main(["run", TASK, "--agent", "nop", "--runs", str(tmp_path / "runs")]) == 1
    remove_world(tmp_path / "runs" / "quickstart")
    assert main(["report", str(tmp_path / "runs"), "--output", str(tmp_path / "report.html")]) == 0
    assert "sort_inbox" in Page((tmp_path / "report.html").read_text("utf-8")).text


@given(st.text())
def test_text_comes_out_of_the_page_as_it_went_in(text: str) -> None:
    html = make_tag("p", text, title=text)
    parsed = Page(html.replace("\r", ""))
    assert [name for name, _ in parsed.seen] == ["p"]
    assert parsed.text == clean_text(text).replace("\r", "")
    assert unescape(escape_child(text), {"&quot;": '"', "&#x27;": "'"}) == clean_text(text)


def test_sounds_and_films_can_be_played_unless_they_are_large(tmp_path: Path) -> None:
    for name, size in (("talk.m4a", 9), ("clip.mp4", 9), ("long.mp4", 2_000_001), ("loud.wav", 1_000_001)):
        (tmp_path / name).write_bytes(b"x" * size)
    gallery = Gallery()
    figures = {path.name: gallery.build_figure(path, path.name) for path in sorted(tmp_path.iterdir())}
    assert "<video" in figures["clip.mp4"]
    assert "<audio" in figures["talk.m4a"]
    assert "not shown: 2,000,001 bytes; see the run directory" in figures["long.mp4"]
    assert "not shown: 1,000,001 bytes" in figures["loud.wav"]


def test_nested_and_absent_children_are_taken() -> None:
    assert make_tag("p", ["a", None, make_tag("b", 1), [2.5]], hidden=True, id=None) == "<p hidden>a<b>1</b>2.5</p>"


STATES = ("passed", "failed", "invalid")


def make_result(state: str, reward: float = 0.0) -> Result:
    passed = {"passed": True, "failed": False}.get(state)
    usage = Usage(1, 10, 1, 0, 0.5)
    return Result(TASK, 0, "", reward, passed, state != "invalid", (), "done", calls=4, agent_seconds=2.0, usage=usage)


def test_invalid_runs_are_counted_apart() -> None:
    figures = summarize_results(
        [make_result("passed", 1.0), make_result("failed", 0.5), make_result("invalid"), make_result("invalid")]
    )
    assert (figures.pass_rate, figures.reward, figures.invalid, figures.runs) == (0.5, 0.75, 2, 4)
    assert figures.usage.cost_usd == 2.0
    assert figures.pass_rate_of_all == 0.25
    assert "2 invalid through no fault of the agent, left out (25.0 % if they count as not passed)" in verdict_sentence(
        figures
    )
    nothing = summarize_results([make_result("invalid")])
    assert (nothing.pass_rate, nothing.interval, nothing.reward) == (None, None, None)


def test_the_figures_tell_who_stopped_before_the_work_was_done() -> None:
    stopped = [
        replace(make_result("failed"), stop="cut_off"),
        replace(make_result("passed"), stop="cut_off"),
        make_result("passed"),
    ]
    assert summarize_results(stopped).as_dict()["stops"] == {"cut_off": 2}
    assert "; stopped before they were finished: 2 cut_off" in verdict_sentence(summarize_results(stopped))


def test_every_report_lists_the_calls_that_crashed(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    save_text(tmp_path / "run.json", json.dumps(Plan((TASK,), (0,), "nop", {}, 60.0).as_dict()))
    crashed = replace(
        make_result("failed"), crashes=("call 2: search_files", "call 9: create_deck", "call 11: create_deck")
    )
    run.add_result(crashed)
    assert run.read_results() == [crashed]
    assert "3 calls crashed (create_deck 2, search_files 1)" in verdict_sentence(summarize_results([crashed]))
    assert "call 2: search_files" in Page(render_run(run, "html")).text
    report = json.loads(render_run(run, "json"))
    assert report["summary"]["crashes"] == {"create_deck": 2, "search_files": 1}
    assert (report["summary"]["pass_rate_of_all"], report["runs"][0]["crashes"][0]) == (0.0, "call 2: search_files")
    assert "call 9: create_deck" in str(ET.fromstring(render_run(run, "junit")).findtext(".//system-err"))


@pytest.mark.parametrize(
    ("states", "code"),
    [(["passed"], 0), (["passed", "failed"], 1), (["passed", "open"], 1), (["passed", "failed", "invalid"], 3)],
)
def test_the_exit_code_tells_how_it_went(states: list[str], code: int) -> None:
    assert exit_code([make_result(state) for state in states]) == code


def test_each_repeat_has_a_mark_a_section_and_a_name_of_its_own(tmp_path: Path) -> None:
    measures = {"operations": 50, "height": 7, "progress": 0.4}
    results = [replace(make_result(state), repeat=repeat, measures=measures) for repeat, state in enumerate(STATES)]
    run = RunDirectory(tmp_path)
    save_text(tmp_path / "run.json", json.dumps(Plan((TASK,), (0, 1), "nop", {}, 60.0, repeats=3).as_dict()))
    run.replace_results(results)
    page = Page(render_run(run, "html"))
    chips = [link for link in page.all("a") if str(link.get("class")).startswith("chip")]
    targets = [block["id"] for block in page.all("div") if block.get("class") == "target"]
    assert [chip["href"] for chip in chips] == [f"#{target}" for target in targets]
    assert len(set(targets)) == 3
    assert [chip["title"] for chip in chips] == [
        "seed 0: passed",
        "seed 0, repeat 1: failed",
        "seed 0, repeat 2: invalid",
    ]
    assert "seeds 0, 1 (3 runs of each)" in page.text
    assert "3 runs not finished yet" in page.text
    assert page.text.count("50 operations · height 7 · progress 40.0 %") == 3
    cases = ET.fromstring(render_run(run, "junit")).iter("testcase")
    assert [case.get("name") for case in cases] == ["seed 0", "seed 0, repeat 1", "seed 0, repeat 2"]


def test_results_survive_a_round_trip(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path)
    run.add_result(make_result("failed", 0.25))
    assert run.read_results() == [make_result("failed", 0.25)]
