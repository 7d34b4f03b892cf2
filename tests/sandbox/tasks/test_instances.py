from collections.abc import Mapping, Sequence

import pytest

from yardkit.sandbox.tasks.instances import expand_instances
from yardkit.world import Problem

DOCUMENTS = "lore/documents"


def list_ids(names: Sequence[str], domains: Sequence[str] = (), **dials: Sequence[str]) -> list[str]:
    return [task.id for task in expand_instances(names, domains, dials)[0]]


def test_several_values_give_every_combination_once_and_defaults_are_not_said() -> None:
    assert list_ids([DOCUMENTS], mode=["top-down", "bottom-up"], ops=["5", "10", "05"]) == [
        f"{DOCUMENTS}@ops=5,mode=top-down",
        f"{DOCUMENTS}@mode=top-down",
        f"{DOCUMENTS}@ops=5",
        DOCUMENTS,
    ]


def test_without_options_names_stand_for_what_they_always_do() -> None:
    assert list_ids(["sort_inbox", f"{DOCUMENTS}@ops=7"]) == ["quickstart/sort_inbox", f"{DOCUMENTS}@ops=7"]


def test_options_replace_what_stands_in_the_name_and_leave_the_rest() -> None:
    assert list_ids([f"{DOCUMENTS}@ops=7,branching=2"], ops=["9"]) == [f"{DOCUMENTS}@ops=9,branching=2"]


def test_a_domain_picks_from_a_suite() -> None:
    assert list_ids(["lore"], ["documents"]) == [DOCUMENTS]
    assert len(list_ids(["lore"])) > 1


def test_of_several_tasks_those_that_cannot_take_a_value_are_left_out_and_named() -> None:
    tasks, left_out = expand_instances([DOCUMENTS, "sort_inbox"], [], {"mode": ["top-down"], "ops": ["5"]})
    assert [task.id for task in tasks] == [f"{DOCUMENTS}@ops=5,mode=top-down"]
    assert left_out == [
        "quickstart/sort_inbox has no parameter 'mode'",
        "quickstart/sort_inbox has no parameter 'ops'",
    ]
    tasks, left_out = expand_instances([DOCUMENTS, "lore/workspace"], [], {"ops": ["5", "5000"]})
    assert [task.id for task in tasks] == [f"{DOCUMENTS}@ops=5", f"{DOCUMENTS}@ops=5000", "lore/workspace@ops=5"]
    assert left_out == ["lore/workspace: ops=5000: it must be between 1 and 1,000"]


@pytest.mark.parametrize(
    ("names", "domains", "dials", "message"),
    [
        ([DOCUMENTS], [], {"ops": ["0"]}, "ops=0: it must be between 1 and 100,000"),
        ([DOCUMENTS], [], {"ops": ["5", "-5"]}, "ops=-5: it must be between"),
        ([DOCUMENTS], [], {"ops": ["many"]}, "ops='many': write a whole number"),
        ([DOCUMENTS], [], {"ops": ["1.5"]}, "ops='1.5': write a whole number"),
        ([DOCUMENTS], [], {"mode": ["sideways"]}, "'sideways' is not one of bottom-up, top-down"),
        ([DOCUMENTS], [], {"operators": ["add+divide"]}, "'divide' is not one of add, subtract, concatenate"),
        ([DOCUMENTS], [], {"oops": ["5"]}, "lore/documents has no parameter 'oops'. Did you mean 'ops'?"),
        (["lore"], [], {"mode": ["sideways"]}, "lore/documents: mode='sideways'"),
        (["quickstart"], [], {"ops": ["5"]}, "none of quickstart/"),
        (["lore"], ["docments"], {}, "there is no domain 'docments' in what is named. Did you mean 'documents'?"),
        (["loer"], [], {}, "did you mean lore"),
        (
            [DOCUMENTS, "lore/workspace"],
            [],
            {"mode": ["top-down"], "places": ["mails"]},
            "no task can take all of these: lore/workspace has no parameter 'mode'; lore/documents has no",
        ),
    ],
)
def test_what_no_task_can_be_is_refused(
    names: list[str], domains: list[str], dials: Mapping[str, Sequence[str]], message: str
) -> None:
    with pytest.raises(Problem) as problem:
        expand_instances(names, domains, dials)
    assert message in str(problem.value)
