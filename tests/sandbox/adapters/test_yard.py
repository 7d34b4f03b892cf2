from pathlib import Path

import pytest
from support.gateways import OPERATOR, TASK, running_gateway

from yardkit.sandbox.adapters.yard import Yard
from yardkit.world import Problem


def test_a_yard_tells_of_instances_opens_forks_grades_and_removes(tmp_path: Path) -> None:
    with running_gateway(tmp_path) as gateway:
        yard = Yard(str(gateway.http.base_url).rstrip("/"), OPERATOR)
        instance_rows = yard.list_instances("sort_inbox", 2)
        assert [(instance["task"], instance["seed"]) for instance in instance_rows] == [(TASK, 0), (TASK, 1)]
        assert list(tmp_path.iterdir()) == []
        opened = yard.open(TASK, 1)
        assert opened.prompt == instance_rows[1]["prompt"]
        forked = yard.fork(opened.id)
        assert yard.grade(forked.id, "")["reward"] == 0.0
        yard.delete(forked.id)
        assert [path.name for path in tmp_path.iterdir()] == [opened.id]


def test_what_a_gateway_refuses_is_told(tmp_path: Path) -> None:
    with running_gateway(tmp_path) as gateway, pytest.raises(Problem, match="refused POST /episodes"):
        Yard(str(gateway.http.base_url).rstrip("/"), "a-wrong-operator-token").open(TASK, 0)
