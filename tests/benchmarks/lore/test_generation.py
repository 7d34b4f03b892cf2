"""Generated tasks: the same from the same seed everywhere, of the wanted length, and without a way around the work."""

import hashlib
import itertools
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lore import generate_task

from yardkit.benchmarks.lore.generation import bottom_up, top_down
from yardkit.benchmarks.lore.generation.documents import bottom_up_task, top_down_task
from yardkit.benchmarks.lore.generation.operators import MODULUS, NESTED, OPERATORS
from yardkit.benchmarks.lore.generation.pictures import write_formula
from yardkit.benchmarks.lore.generation.task import LoreTask
from yardkit.sandbox.tasks.suites import find_tasks
from yardkit.sandbox.tasks.task import load_task
from yardkit.world import Problem

ROOT = Path(__file__).parents[2]
DIALS: dict[str, Any] = {"operators": "add+subtract+concatenate", "branching": 4, "width": 12, "consolidation": 0.3}
CODE = ("lore/code", "lore/code@variant=hard")
DOCUMENTS = ("lore/documents", "lore/documents@mode=top-down")
PICTURES = ("lore/multimodal", "lore/multimodal@variant=hard", "lore/multimodal@mode=top-down,variant=hard")
PUBLISHED = ("lore_published/documents", "lore_published/multimodal@variant=hard")
each_instance = pytest.mark.parametrize("name", [*DOCUMENTS, *PICTURES, *PUBLISHED])
anything = st.fixed_dictionaries(
    {
        "ops": st.integers(1, 60),
        "operators": st.sampled_from(["add", "subtract", "concatenate", "add+subtract", "add+subtract+concatenate"]),
        "branching": st.integers(2, 9),
        "width": st.integers(0, 30),
        "consolidation": st.floats(0, 1),
    }
)


def task_of(name: str, seed: int, **values: Any) -> LoreTask:
    more = ",".join(f"{key}={value}" for key, value in values.items())
    return generate_task(name + ("," if "@" in name else "@") * bool(more) + more, seed)[1]


@given(anything, st.integers(0, 10_000))
def test_bottom_up_every_node_but_the_starts_is_found_by_one_rule_or_list(dials: dict[str, Any], seed: int) -> None:
    generated_tree = bottom_up.generate_bottom_up(random.Random(seed), **dials)
    rules = generated_tree.rules
    assert len(rules) == dials["ops"]
    reached_nodes = [
        *generated_tree.starts,
        *(rule.target for rule in rules),
        *(child for node in generated_tree.nodes for child in node.listed),
    ]
    assert sorted(node.number for node in reached_nodes) == sorted(node.number for node in generated_tree.nodes)
    order = {node: place for place, node in enumerate(generated_tree.trajectory())}
    for rule in rules:
        assert all(order[field] < order[rule.target] for field in [rule, *rule.inputs])
        assert 2 <= len(rule.inputs) <= max(2, dials["branching"])
        assert rule.target.key == str(rule.operator.apply([field.value for field in rule.inputs]))
    assert generated_tree.trajectory()[-1] is generated_tree.root
    assert 1 <= generated_tree.height <= len(generated_tree.nodes)


@given(anything, st.integers(0, 10_000))
def test_top_down_every_node_is_named_and_none_twice_by_one(dials: dict[str, Any], seed: int) -> None:
    generated_tree = top_down.generate_top_down(random.Random(seed), **dials)
    order = {node: place for place, node in enumerate(generated_tree.trajectory())}
    assert sum(bool(node.children) for node in generated_tree.nodes) == dials["ops"]
    named = {child for node in generated_tree.nodes for child in node.children}
    assert named == set(generated_tree.nodes[1:])
    for node in generated_tree.nodes:
        assert all(order[node] < order[child] for child in node.children)
        assert len(set(node.children)) == len(node.children)
        if node.children:
            assert node.value == generated_tree.rules[node].compute_value([child.value for child in node.children])
        assert 0 <= node.value < MODULUS


SUBSETS = [
    "+".join(some) for count in (1, 2, 3) for some in itertools.combinations(["add", "subtract", "concatenate"], count)
]


@pytest.mark.parametrize("operators", SUBSETS)
def test_top_down_nothing_cancels_out(operators: str) -> None:
    """Another value of any document gives another answer, however many documents name it."""
    for seed in range(20):
        dials = {"operators": operators, "branching": 2 + seed % 3, "consolidation": 0.3 + 0.7 * (seed % 2)}
        generated_tree = top_down.generate_top_down(random.Random(seed), **{**DIALS, **dials, "ops": 10 * (1 + seed)})
        factors = {node: int(node is generated_tree.root) for node in generated_tree.nodes}
        for node in generated_tree.nodes:
            for child, factor in zip(
                node.children, generated_tree.rules[node].factors if node.children else (), strict=True
            ):
                factors[child] = (factors[child] + factors[node] * factor) % MODULUS
        assert all(factors.values())


def test_the_worked_example_of_the_paper_has_height_two() -> None:
    """Two operations, of which one gives the name of a document that the other is over."""
    heights = {bottom_up.generate_bottom_up(random.Random(seed), **{**DIALS, "ops": 2}).height for seed in range(30)}
    assert heights == {2}, "whichever leaf is expanded, the root depends on it"


@each_instance
def test_the_same_seed_gives_the_same_task_and_another_one_another(name: str) -> None:
    assert task_of(name, 3) == task_of(name, 3)
    assert task_of(name, 3).answer != task_of(name, 4).answer


SCRIPT = """
import hashlib, json, random, sys, types
from importlib import import_module
sys.path.insert(0, sys.argv[1])
world = types.ModuleType("yardkit.world")  # it needs packages that other Pythons here lack, and takes no part in this
world.World, world.Problem, world.save_text = object, ValueError, None
sys.modules["yardkit.world"] = world
for domain, values in json.loads(sys.argv[2]):
    module = import_module("yardkit.state_init.lore." + domain)
    tasks = [module.generate_task(random.Random("x:%d" % seed), **values).as_dict() for seed in range(3)]
    print(hashlib.sha256(json.dumps(tasks, sort_keys=True).encode()).hexdigest())
"""
OTHERS = [path for minor in (12, 13) for path in sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))]


def digest_tasks(python: Path | str) -> str:
    tasks = [load_task(name) for name in [*DOCUMENTS, *PICTURES, *CODE]]
    cases = json.dumps([(task.name, dict(task.values)) for task in tasks])
    run = subprocess.run([python, "-c", SCRIPT, ROOT, cases], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("python", OTHERS, ids=lambda path: path.parts[-3])
def test_other_pythons_give_the_same_bytes(python: Path) -> None:
    """Where a machine has none, the pinned digest below is checked by whatever Python runs these tests."""
    assert digest_tasks(python) == digest_tasks(sys.executable)


def test_documents_of_a_seed_are_what_they_were() -> None:
    """A change here makes every stored result incomparable: it must be meant, and said in the changelog."""
    task_json = json.dumps(task_of("lore/documents", 0).as_dict(), sort_keys=True)
    assert hashlib.sha256(task_json.encode()).hexdigest()[:16] == "ed2347102ff13b0b"


@each_instance
def test_the_answer_cannot_be_had_without_the_work(name: str) -> None:
    for seed in range(40):
        task = task_of(name, seed, ops=1 + seed)
        texts = {record["id"]: record["text"] for record in task.records}
        holding = [key for key, text in texts.items() if re.search(rf"(?<![\w-]){task.answer}(?!\w)", text)]
        assert holding == [task.answer_source] * bool(task.answer_source), (
            "the answer stands where it is found or nowhere"
        )
        assert task.answer not in " ".join(task.starts)
        free = _find_reachable(task.starts, texts) if "top-down" not in name else set()
        assert not set(holding) & free, "the document with the answer is named nowhere"


def _find_reachable(starts: list[str], texts: dict[str, str]) -> set[str]:
    """Documents whose names stand in the prompt or in documents that are reached so."""
    reached, todo = set[str](), list(starts)
    while todo:
        name = todo.pop()
        if name in texts and name not in reached:
            reached.add(name)
            todo += re.findall(r"'(v\d+%\S+?)'", texts[name])
    return reached


@pytest.mark.parametrize("name", ["lore/documents", "lore/multimodal@variant=hard"])
def test_names_that_must_be_worked_out_are_told_nowhere_and_are_many(name: str) -> None:
    """Nor can they be tried: a rule over texts or numbers of words has more results than misses are allowed."""
    for seed in range(20):
        task = task_of(name, seed)
        derived = [step.read for step in task.steps if step.result]
        everything = " ".join([*task.starts, *(record["text"] for record in task.records)])
        assert derived
        assert not [secret for secret in derived if secret in everything]


def test_a_task_that_gives_its_answer_away_by_chance_is_known() -> None:
    records = [{"id": "v1%a", "text": "v0: 17."}, {"id": "v2%b", "text": "v9: 17."}]
    assert LoreTask(records, [], "v0", "17", 1, [], "v1%a").gives_answer_away
    assert LoreTask(records[:1], [], "v0", "17", 1, []).gives_answer_away
    assert not LoreTask(records[:1], [], "v0", "17", 1, [], "v1%a").gives_answer_away
    assert not LoreTask(records, [], "v0", "7", 1, []).gives_answer_away
    assert LoreTask([{"id": "v1%a", "text": "v0: -17."}], [], "v0", "17", 1, []).gives_answer_away


def test_consolidation_makes_tasks_narrower_and_higher() -> None:
    wide = [
        bottom_up.generate_bottom_up(random.Random(seed), **{**DIALS, "ops": 60, "consolidation": 0})
        for seed in range(20)
    ]
    narrow = [
        bottom_up.generate_bottom_up(random.Random(seed), **{**DIALS, "ops": 60, "consolidation": 1})
        for seed in range(20)
    ]
    assert (
        sum(len(generated_tree.starts) for generated_tree in narrow)
        < sum(len(generated_tree.starts) for generated_tree in wide) / 5
    )
    assert sum(generated_tree.height for generated_tree in narrow) > 2 * sum(
        generated_tree.height for generated_tree in wide
    )
    flat = [
        top_down.generate_top_down(random.Random(seed), **{**DIALS, "ops": 60, "consolidation": 0})
        for seed in range(20)
    ]
    deep = [
        top_down.generate_top_down(random.Random(seed), **{**DIALS, "ops": 60, "consolidation": 1})
        for seed in range(20)
    ]
    assert sum(generated_tree.height for generated_tree in deep) > 2 * sum(
        generated_tree.height for generated_tree in flat
    )


def test_distractors_are_as_many_as_wanted() -> None:
    def fields(rate: float) -> float:
        texts = [
            record["text"] for seed in range(20) for record in task_of("lore/documents", seed, distractors=rate).records
        ]
        return sum(text.count("v") > 1 and text.count(".") > 1 for text in texts) / len(texts)

    assert fields(0) < fields(0.5) < fields(1)
    bare_task = task_of("lore/documents", 1, distractors=0)
    assert max(record["text"].count(". ") for record in bare_task.records) <= 1


def test_several_ways_to_say_the_same_occur() -> None:
    text = " ".join(record["text"] for seed in range(5) for record in task_of("lore/documents", seed).records)
    for phrase in (
        "Field v",
        "Parameter v",
        "Entry v",
        "The value of v",
        " = ",
        "where X is",
        "X being",
        " minus ",
        "the sum of",
    ):
        assert phrase in text


def test_negative_numbers_have_a_minus_and_no_number_a_plus() -> None:
    task = task_of("lore/documents", 0, ops=200)
    everything = " ".join([*(record["id"] for record in task.records), *(record["text"] for record in task.records)])
    assert re.search(r"%-\d", everything)
    assert not re.search(r"\+\d", everything)


@given(st.integers(-999_999, 999_999), st.integers(0, 1000))
def test_a_formula_has_its_value(value: int, seed: int) -> None:
    formula_text = write_formula(value, random.Random(seed))
    assert re.fullmatch(r"[0-9 ()+\-\u00d7]+", formula_text)
    assert eval(formula_text.replace("\u00d7", "*")) == value


@pytest.mark.parametrize("generate", [bottom_up.generate_bottom_up, top_down.generate_top_down])
@pytest.mark.drill
def test_cost_grows_with_the_length_and_not_faster(generate: Any) -> None:
    def seconds(ops: int) -> float:
        times = []
        for seed in range(3):
            started = time.process_time()
            generate(random.Random(seed), **{**DIALS, "ops": ops})
            times.append(time.process_time() - started)
        return min(times)

    assert seconds(20_000) < 40 * seconds(2_000) + 0.2


@pytest.mark.parametrize("make", [bottom_up_task, top_down_task])
def test_thousands_of_operations_in_a_row_need_no_recursion(make: Any) -> None:
    generate = bottom_up.generate_bottom_up if make is bottom_up_task else top_down.generate_top_down
    generated_tree = generate(random.Random(0), **{**DIALS, "ops": 9000, "width": 40, "consolidation": 1})
    assert generated_tree.height > 1000
    assert len(make(generated_tree, random.Random(0), 0.5).records) == len(generated_tree.nodes)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("lore/documents@ops=0", "between 1 and 100,000"),
        ("lore/documents@ops=-3", "between 1 and"),
        ("lore/documents@ops=ten", "whole number"),
        ("lore/documents@ops=1.5", "whole number"),
        ("lore/documents@consolidation=2", "between 0 and 1"),
        ("lore/documents@consolidation=nan", "between 0 and 1"),
        ("lore/documents@branching=1", "between 2 and 9"),
        ("lore/documents@operators=add+divide", "'divide' is not one of add, subtract, concatenate"),
        ("lore/documents@operators=", "write parameters as"),
        ("lore/documents@op=5", "Did you mean 'ops'?"),
        ("lore/documents@ops", "write parameters as"),
        ("lore/documents@ops=3,ops=4", "gives a parameter twice"),
        ("lore/documents@mode=sideways", "'sideways' is not one of bottom-up, top-down"),
        ("quickstart/sort_inbox@ops=5", "Parameters: none"),
        ("lore/document@ops=5", "did you mean"),
    ],
)
def test_impossible_parameters_are_refused_in_words(name: str, says: str) -> None:
    with pytest.raises(Problem, match=re.escape(says)):
        find_tasks([name])


def test_one_instance_has_one_name() -> None:
    names = [
        "lore/documents@mode=bottom-up,ops=20",
        "lore/documents@ops=20",
        "lore/documents@ops=20,operators=concatenate+add+subtract",
    ]
    assert [task.id for task in find_tasks(names)] == ["lore/documents@ops=20"]
    assert [task.id for task in find_tasks(["workspace@ops=20"])] == ["lore/workspace@ops=20"]
    assert load_task("lore/documents@ops=10").id == "lore/documents"
    assert load_task("lore/documents@consolidation=-0.0").id == load_task("lore/documents@consolidation=0").id


def test_every_operator_is_offered_and_every_offer_is_an_operator() -> None:
    offered = next(parameter for parameter in load_task("lore/documents").parameters if parameter.name == "operators")
    assert set(offered.choices) == set(OPERATORS) == set(NESTED)


@pytest.mark.parametrize("name", ["lore/multimodal@ops=1", "lore/multimodal@ops=1,mode=top-down,variant=hard"])
def test_a_task_with_pictures_has_one(name: str) -> None:
    assert all(any("picture" in record for record in task_of(name, seed).records) for seed in range(30))


def test_pictures_without_numbers_are_refused() -> None:
    with pytest.raises(Problem, match="add 'add'"):
        task_of("lore/multimodal@operators=concatenate", 0)


def test_as_published_values_are_small_and_results_come_as_they_are() -> None:
    for domain in ("documents", "multimodal"):
        for seed in range(10):
            task = task_of(f"lore_published/{domain}", seed, ops=20)
            texts = " ".join(record["text"] for record in task.records)
            values = re.findall(r"(?:: | = | contains | is set to | is | reads )(-?\w+)\.(?= |$)", texts)
            assert values
            assert all(re.fullmatch(r"[1-9]\d|[A-Za-z]{1,4}", value) or value == task.answer for value in values)
            assert max(len(name.partition("%")[2]) for name in task.starts) <= 4
    for seed in range(10):
        program = task_of("lore_published/code@variant=hard", seed, ops=20)
        texts = " ".join(record["text"] for record in program.records)
        assert "%" not in texts
        assert max(int(number) for number in re.findall(r"(?<![\w.])\d+(?![\w.])", texts)) <= 99


def test_as_published_formulas_are_rules_over_variables_that_name_the_next_document() -> None:
    kinds = set()
    for seed in range(10):
        for record in task_of("lore_published/multimodal", seed).records:
            formula_text = record.get("picture", {}).get("formula")
            if formula_text:
                assert re.fullmatch(r"v\d+( \+ v\d+)+|v\d+( - v\d+)+", formula_text)
                assert re.search(r"'v\d+%X'", record["text"])
                assert "may have been transformed" in record["text"]
            kinds.add("formula" if formula_text else "objects" if "picture" in record else "words")
    assert kinds == {"formula", "objects", "words"}


def test_rules_in_pictures_need_a_mode_in_which_rules_name_documents() -> None:
    with pytest.raises(Problem, match="top-down no rule names a document"):
        task_of("lore/multimodal@mode=top-down,formulas=rules", 0)


def test_the_longest_programs_have_results_that_can_be_written() -> None:
    """Python writes whole numbers of up to 4,300 digits."""
    task = task_of("lore_published/code@variant=hard", 0, ops=1000, consolidation=1, branching=9)
    assert 20 < len(task.answer) < 1000


@each_instance
def test_leads_tell_how_every_document_can_be_known(name: str) -> None:
    """From those that the prompt tells all are found, and none before the documents that it rests on."""
    for seed in range(5):
        task = task_of(name, seed)
        known = set(task.starts)
        for step in task.steps:
            known |= {target for target, *needed in task.leads.rules if known.issuperset(needed)}
            assert step.read in known
            known |= set(task.leads.named.get(step.read, ()))
        assert known == {record["id"] for record in task.records}
