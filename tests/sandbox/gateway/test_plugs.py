import base64
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client
from support.gateways import OPERATOR, TASK, Gateway, make_bearer_header, running_gateway

from yardkit.sandbox.tasks.suites import find_task


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    with running_gateway(tmp_path_factory.mktemp("runs")) as running:
        yield running


def _get_path(gateway: Gateway, path: str, token: str = OPERATOR) -> httpx2.Response:
    return gateway.http.get(path, headers=make_bearer_header(token))


def test_an_instance_is_described_without_an_episode(gateway: Gateway, tmp_path: Path) -> None:
    before = set(gateway.runs.iterdir()) if gateway.runs.exists() else set()
    instance_data = _get_path(gateway, f"/tasks/{TASK}?seed=3").json()
    assert instance_data["task"] == TASK
    assert instance_data["seed"] == 3
    assert instance_data["servers"] == list(find_task(TASK).servers)
    assert instance_data["deliverables"] == list(find_task(TASK).profile.deliverables)
    assert (set(gateway.runs.iterdir()) if gateway.runs.exists() else set()) == before
    assert list(Path(tempfile.gettempdir()).glob("yardkit-instance-*")) == []
    opened = gateway.open(seed=3).introduction
    assert (instance_data["prompt"], instance_data["now"]) == (opened["prompt"], opened["now"])


def test_an_instance_with_parameters_and_a_short_name_are_found(gateway: Gateway) -> None:
    instance_data = _get_path(gateway, "/tasks/lore/documents@ops=5,mode=top-down?seed=1").json()
    assert instance_data["task"] == "lore/documents@ops=5,mode=top-down"
    assert instance_data["parameters"]["ops"] == 5
    assert _get_path(gateway, "/tasks/sort_inbox").json()["task"] == TASK


@pytest.mark.parametrize(
    ("path", "token", "status", "says"),
    [
        (f"/tasks/{TASK}", "", 401, "operator"),
        ("/tasks/no/such", OPERATOR, 400, "no suite or task"),
        (f"/tasks/{TASK}?seed=-1", OPERATOR, 400, "'-1' is not a seed"),
        ("/tasks/../../etc", OPERATOR, 404, "this address does not exist"),
    ],
)
def test_a_wrong_instance_is_refused_in_words(gateway: Gateway, path: str, token: str, status: int, says: str) -> None:
    answer = _get_path(gateway, path, token)
    assert answer.status_code == status
    assert says in answer.json()["error"]


def test_a_client_that_takes_an_address_only_sends_the_token_as_its_password(gateway: Gateway) -> None:
    def sent(pair: str) -> int:
        header = {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
        return gateway.http.get("/episodes", headers=header).status_code

    assert [sent(f"operator:{OPERATOR}"), sent("operator:wrong"), sent(OPERATOR)] == [200, 401, 401]
    assert gateway.http.get("/episodes", headers={"Authorization": "Basic ?"}).status_code == 401


def _make_row(seed: int) -> dict[str, Any]:
    """A row of a data set, as NeMo Gym has them."""
    request = {"input": [{"role": "user", "content": "work"}], "tools": []}
    return {"responses_create_params": request, "task": TASK, "seed": seed, "own": {"note": 1}}


def _make_response(answer: str) -> dict[str, Any]:
    text = {"type": "output_text", "text": answer, "annotations": []}
    return {
        "id": "resp_1",
        "object": "response",
        "output": [
            {"type": "function_call", "call_id": "1", "name": "list_folder", "arguments": "{}"},
            {"type": "message", "role": "assistant", "content": [text]},
        ],
    }


async def test_a_rollout_of_nemo_gym_is_seeded_worked_on_over_mcp_and_verified(gateway: Gateway) -> None:
    row = _make_row(seed=2)
    async with httpx2.AsyncClient(
        base_url=gateway.http.base_url, headers=make_bearer_header(OPERATOR), timeout=240
    ) as http:
        seeded = await http.post("/seed_session", json=row)
        metadata = seeded.json()["mcp"]
        url = f"{gateway.http.base_url}{metadata['url_path']}"
        token = metadata["headers"]["Authorization"].removeprefix("Bearer ")
        async with Client(url, auth=token) as client:
            await client.call_tool("write_file", {"path": "x.txt", "content": "x"})
        verified = (await http.post("/verify", json={**row, "response": _make_response("the end")})).json()
    assert {name: verified[name] for name in row} == row
    assert verified["response"] == _make_response("the end")
    assert (verified["reward"], verified["passed"], verified["mask_sample"]) == (0.0, False, False)
    directory = gateway.runs / seeded.json()["episode_id"]
    assert json.loads((directory / "grade.json").read_text())["answer"] == "the end"
    assert json.loads((directory / "ledger.jsonl").read_text())["tool"] == "write_file"


def test_the_metadata_of_a_row_may_name_the_instance_and_a_solved_one_has_the_reward_of_its_grade(
    gateway: Gateway,
) -> None:
    row = {"responses_create_params": {"input": "x"}, "verifier_metadata": {"task": "sort_inbox", "seed": 5}}
    with httpx2.Client(base_url=gateway.http.base_url, headers=make_bearer_header(OPERATOR), timeout=240) as http:
        seeded_session = http.post("/seed_session", json=row).json()
        token = seeded_session["mcp"]["headers"]["Authorization"].removeprefix("Bearer ")
        introduction = {
            "episode_id": seeded_session["episode_id"],
            "token": token,
            "mcp_url": "",
            "prompt": seeded_session["prompt"],
        }
        answer = find_task(TASK).proof().solve(gateway.make_opened(introduction))
        verified = http.post("/verify", json={**row, "response": _make_response(answer)}).json()
    assert (verified["reward"], verified["passed"]) == (1.0, True)


def test_only_the_operator_hands_in_a_rollout_that_is_larger_than_other_requests(gateway: Gateway) -> None:
    row = {**_make_row(0), "response": {"output": [], "seen": "x" * 5_000_000}}
    asked = [
        gateway.http.post("/verify", json=row, headers=make_bearer_header(token)) for token in (OPERATOR, "another", "")
    ]
    assert [answer.status_code for answer in asked] == [400, 413, 413]
    assert "no session to verify" in asked[0].json()["error"]
    assert gateway.http.post("/seed_session", json=row, headers=make_bearer_header(OPERATOR)).status_code == 413


@pytest.mark.parametrize(
    ("path", "body", "token", "status", "says"),
    [
        ("/seed_session", {}, "", 401, "operator"),
        ("/seed_session", {"responses_create_params": {}}, OPERATOR, 400, "has no task"),
        ("/seed_session", {"task": TASK, "seed": -1}, OPERATOR, 400, "seed"),
        ("/verify", {**_make_row(0), "response": {}}, OPERATOR, 400, "no session to verify"),
        ("/verify", _make_row(0), OPERATOR, 400, "response"),
    ],
)
def test_a_wrong_rollout_is_refused_in_words(
    gateway: Gateway, path: str, body: dict[str, Any], token: str, status: int, says: str
) -> None:
    answer = gateway.http.post(path, json=body, headers=make_bearer_header(token))
    assert answer.status_code == status
    assert says in answer.json()["error"]
