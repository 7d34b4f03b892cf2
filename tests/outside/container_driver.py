"""Solves tasks on a gateway at port 8080 with the reference agent over MCP; a line of JSON for each."""

import json
import sys
import tempfile
from pathlib import Path

import httpx2

from toolyard.sandbox.agents import Transcript
from toolyard.sandbox.agents.endpoint import connect_to
from toolyard.sandbox.agents.reference import work_over
from toolyard.sandbox.tasks.suites import find_tasks

LIMIT_S = 300


def main(operator: str, *names: str) -> None:
    headers = {"Authorization": f"Bearer {operator}"}
    with httpx2.Client(base_url="http://127.0.0.1:8080", headers=headers, timeout=LIMIT_S) as http:
        for task in find_tasks(list(names)):
            episode = http.post("/episodes", json={"task": task.id}).raise_for_status().json()
            with (
                tempfile.TemporaryDirectory() as folder,
                connect_to(episode["mcp_url"], episode["token"]) as connection,
                Transcript(Path(folder) / "transcript.jsonl") as transcript,
            ):
                outcome = work_over(connection, episode["prompt"], transcript, LIMIT_S, task.proof().solve)
            answer = http.post(f"/e/{episode['episode_id']}/grade", json={"answer": outcome.answer})
            grade = answer.raise_for_status().json()
            sys.stdout.write(json.dumps({"task": task.id, "reward": grade["reward"], "valid": grade["valid"]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
