#!/bin/sh
# Grade the episode; without a valid grade there is no reward, and Harbor tells of an error of the verifier.
set -eu
logs=${HARBOR_LOGS:-/logs}
work=$(mktemp -d)
cp -R "${YARDKIT_RUNS:-/data/runs}/." "$work"
answer=$logs/artifacts/answer.txt
[ -f "$answer" ] || answer=/dev/null
yardkit grade "$work"/e* --answer-file "$answer" --format json >"$logs/verifier/grade.json" || [ $? = 1 ]
python3 - "$logs/verifier" <<'END'
import json
import pathlib
import sys

logs = pathlib.Path(sys.argv[1])
grade = json.loads((logs / "grade.json").read_text("utf-8"))
reward = {"reward": grade["reward"], "passed": int(grade["passed"] is True)}
(logs / "reward.json").write_text(json.dumps(reward), "utf-8")
END
