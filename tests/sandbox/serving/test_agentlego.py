"""AgentLego's addresses, asked as its RemoteTool asks: a form, with files named after their arguments."""

import base64
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from support.pictures import COFFEE
from support.processes import serve_http
from support.sounds import YOUNG_MAN, copy_sound

from yardkit.sandbox.serving.agentlego.routes import add_agentlego
from yardkit.sandbox.serving.agentlego.signatures import DELIVERS
from yardkit.sandbox.serving.registry import chosen_servers, load_server, tools_of
from yardkit.sandbox.serving.workspace_server import build_server
from yardkit.world import World, use_world

SERVERS = ("audio", "calculator", "counting", "documents", "images", "sheets", "vision")


def build_app(token: str = "") -> Any:
    server = build_server(SERVERS, "gta")
    add_agentlego(server, token)
    return server.http_app(path="/mcp", stateless_http=True, host_origin_protection=True)


def open_client(application: Any) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(application), base_url="http://127.0.0.1:16181")


@pytest.fixture(scope="module")
def every() -> Any:
    return build_app()


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    with use_world(World.open_user_folder(tmp_path)):
        yield tmp_path


@pytest.fixture
def client(every: Any, files: Path) -> httpx2.AsyncClient:
    return open_client(every)


def load_picture(argument: str = "image") -> dict[str, Any]:
    return {argument: (argument, COFFEE.read_bytes())}


def test_what_delivers_a_file_is_told_as_such_for_each_tool() -> None:
    for name in chosen_servers(["all"], "gta"):
        for tool in tools_of(load_server(name, "gta")):
            fields = (getattr(tool, "result_schema", None) or {}).get("properties", {})
            assert ("file" in fields) is (tool.name in DELIVERS), tool.name


async def test_the_list_has_an_operation_for_each_tool_with_the_forms_of_its_files(client: httpx2.AsyncClient) -> None:
    document = (await client.get("/", follow_redirects=True)).json()
    assert document["openapi"] == "3.1.0"
    drawn = document["paths"]["/DrawBox"]["post"]
    assert (drawn["operationId"], drawn["summary"][:10]) == ("DrawBox", "Draw a box")
    body = drawn["requestBody"]["content"]["multipart/form-data"]["schema"]
    assert body["required"] == ["image", "bbox"]
    assert body["properties"]["image"]["format"] == "image;binary"
    formats = {
        path: methods["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        for path, methods in document["paths"].items()
    }
    assert formats["/DrawBox"] == {"type": "string", "format": "image/png;base64"}
    assert formats["/AudioClipTool"]["format"] == "audio/wav;base64"
    assert formats["/DocxFileGenerator"]["format"] == "office/docx;base64"
    assert (formats["/CountGivenObject"], formats["/ReadCSV"]) == ({"type": "integer"}, {"type": "string"})
    calculator_content = document["paths"]["/Calculator"]["post"]["requestBody"]["content"]
    assert list(calculator_content) == ["application/x-www-form-urlencoded"]


async def test_a_call_gives_text_or_a_number(client: httpx2.AsyncClient) -> None:
    assert (await client.post("/Calculator", data={"expression": "3 * 43"})).json() == "129"
    asked = {"text": (None, "red shape"), "bbox": (None, "")}
    dots = Image.new("RGB", (200, 100), "white")
    for left in (20, 90, 150):
        dots.paste("red", (left, 30, left + 25, 55))
    buffer = io.BytesIO()
    dots.save(buffer, "PNG")
    assert (await client.post("/CountGivenObject", files={**asked, "image": ("image", buffer.getvalue())})).json() == 3


async def test_an_upload_has_a_name_of_its_own_and_what_is_delivered_keeps_its_ending(
    client: httpx2.AsyncClient, files: Path
) -> None:
    form = {
        **load_picture(),
        "bbox": (None, "(10, 20, 200, 300)"),
        "output_dir": (None, "out"),
        "filename": (None, "cup"),
    }
    for _ in range(2):
        answer = await client.post("/DrawBox", files=form)
        assert Image.open(io.BytesIO(base64.b64decode(answer.json()))).format == "PNG"
    assert [path.suffix for path in (files / "uploads").iterdir()] == [".jpg"]
    assert [path.name for path in (files / "out").iterdir()] == ["cup.png"]
    table = {"filename": "t", "data_str": '[["name", "price"], ["tea", 3.5]]'}
    written = base64.b64decode((await client.post("/XlsxFileGenerator", data=table)).json())
    read = await client.post("/ReadXLSX", files={"file": ("file", written)})
    assert read.json() == "name,price\ntea,3.5\n"


async def test_sounds_are_named_by_their_path_in_the_workspace(client: httpx2.AsyncClient, files: Path) -> None:
    source = copy_sound(YOUNG_MAN, files)
    for path in (source, str(files / source)):
        answer = await client.post("/AudioClipTool", data={"audio": path, "end_time": "1.5"})
        assert base64.b64decode(answer.json())[:4] == b"RIFF"
    refused = await client.post("/AudioClipTool", data={"audio": "/etc/passwd"})
    assert (refused.status_code, "outside the workspace" in refused.json()["detail"]) == (400, True)


@pytest.mark.parametrize(
    ("tool", "form", "words"),
    [
        ("Calculator", {"expression": "1 / 0"}, "divides by zero"),
        ("CsvFileGenerator", {"filename": "../../x", "data_str": "[[1]]"}, "outside the workspace"),
        ("CsvFileGenerator", {"filename": "x", "data_str": "[[1]]", "output_dir": "../y"}, "outside the workspace"),
        ("CsvFileGenerator", {"filename": "x", "data_str": "none"}, "give a JSON list of rows"),
    ],
)
async def test_an_error_is_one_in_words(
    client: httpx2.AsyncClient, files: Path, tool: str, form: dict[str, str], words: str
) -> None:
    answer = await client.post(f"/{tool}", data=form)
    assert (answer.status_code, words in answer.json()["detail"]) == (400, True)
    assert list(files.iterdir()) == []


async def test_a_tool_without_its_model_says_what_it_needs_and_the_others_work(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("YARDKIT_VISION_URL", "YARDKIT_WORKER_URL"):
        monkeypatch.delenv(name, raising=False)
    answer = await client.post("/ImageDescription", files=load_picture())
    assert (answer.status_code, "YARDKIT_VISION_URL=" in answer.json()["detail"]) == (400, True)
    assert (await client.post("/ImageQualityTest", files=load_picture())).json().startswith("Laplacian variance: ")


@pytest.mark.parametrize(
    ("tool", "form", "kinds"),
    [
        ("Calculator", {}, {"expression": "missing"}),
        ("Calculator", {"expression": "1", "precision": "2"}, {"precision": "extra_forbidden"}),
        ("AudioClipTool", {"audio": "a.wav", "end_time": "ten"}, {"end_time": "float_parsing"}),
        ("DrawBox", {"image": "a.png", "bbox": "(1, 2, 3, 4)"}, {"image": "value_error"}),
    ],
)
async def test_a_form_that_is_no_call_is_refused_by_its_fields(
    client: httpx2.AsyncClient, tool: str, form: dict[str, str], kinds: dict[str, str]
) -> None:
    answer = await client.post(f"/{tool}", data=form or {"_": ""})
    assert answer.status_code == 422
    error_types = {detail["loc"][1]: detail["type"] for detail in answer.json()["detail"]}
    assert kinds.items() <= error_types.items()


async def test_a_page_in_a_browser_and_what_is_too_large_are_refused(client: httpx2.AsyncClient) -> None:
    sent: dict[str, Any] = {"data": {"expression": "1"}}
    assert (await client.post("/Calculator", headers={"Origin": "http://evil.example"}, **sent)).status_code == 403
    large = await client.post("/Calculator", headers={"Content-Length": "900000000"}, **sent)
    assert large.status_code == 413


async def test_with_a_token_the_list_is_open_and_calls_need_it(files: Path) -> None:
    call: dict[str, Any] = {"data": {"expression": "1 + 1"}}
    async with open_client(build_app("s3cret")) as client:
        assert "/Calculator" in (await client.get("/openapi.json")).json()["paths"]
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer no"}, 401),
            ({"Authorization": "Bearer s3cret"}, 200),
        ):
            assert (await client.post("/Calculator", headers=headers, **call)).status_code == status
        assert (await client.post("/Calculator", auth=("anybody", "s3cret"), **call)).json() == "2"


def test_the_command_serves_both_forms_at_one_port(tmp_path: Path) -> None:
    with serve_http("calculator", "--dialect", "gta", "--agentlego", cwd=tmp_path) as (address, _):
        answer = httpx2.post(address.replace("/mcp", "/Calculator"), data={"expression": "6 * 7"}, timeout=240)
        assert answer.json() == "42"
