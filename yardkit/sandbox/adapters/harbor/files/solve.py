"""The oracle: repeats the calls of the task's own solver in order."""

import json
import os
import pathlib
import urllib.request

URL = os.environ.get("YARDKIT_MCP_URL", "http://yardkit:8000/mcp")
HEADERS = {
    "Authorization": f"Bearer {os.environ['<<TOKEN>>']}",
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


def main() -> None:
    """Make the calls and write the answer file."""
    plan = json.loads(pathlib.Path(__file__).with_name("calls.json").read_text("utf-8"))
    for number, call in enumerate(plan["calls"]):
        body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
        request = urllib.request.Request(URL, json.dumps(body).encode(), HEADERS)
        with urllib.request.urlopen(request, timeout=600) as response:
            response.read()
    answer = pathlib.Path(os.environ.get("HARBOR_LOGS", "/logs")) / "artifacts" / "answer.txt"
    answer.parent.mkdir(parents=True, exist_ok=True)
    answer.write_text(plan["answer"], "utf-8")


main()
