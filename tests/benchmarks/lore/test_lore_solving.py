"""Every generated task is solved by a solver that has the tools and the prompt; wrong steps lead nowhere."""

import random
from pathlib import Path

import pytest
from support.lore import open_instance
from support.scale import count_tries, select_drills

from yardkit.benchmarks.lore.generation.pictures import LONGEST_RULE, Pictures
from yardkit.benchmarks.lore.solving.picture_decoder import (
    Illegible,
    count_objects,
    evaluate_formula,
    formula_value,
    read_rule,
)
from yardkit.benchmarks.lore.solving.solver import NO_ANSWER, Perfect, Value, calculate_rule, page_of
from yardkit.sandbox.episodes.episode import open_new
from yardkit.sandbox.episodes.replies import ToolAgent
from yardkit.sandbox.tasks.suites import find_task
from yardkit.sandbox.tasks.task import load_task
from yardkit.servers.lore.engine.drawing import apply_change, draw_picture, encode_png
from yardkit.state_init.lore.workspace.filing import KINDS
from yardkit.world import skip_syncing

SEEDS = range(0, 200, count_tries(1, 27))
MATRIX = [
    *(f"lore/code@variant={variant}" for variant in ("standard", "hard")),
    *(f"lore/documents@mode={mode}" for mode in ("bottom-up", "top-down")),
    "lore/multimodal@mode=top-down,variant=standard",
    *select_drills(
        "lore/multimodal@mode=bottom-up,variant=standard",
        "lore/multimodal@mode=bottom-up,variant=hard",
        "lore/multimodal@mode=top-down,variant=hard",
    ),
]


@pytest.mark.parametrize("name", MATRIX)
def test_tasks_of_every_domain_and_variant_are_solved(name: str, tmp_path: Path) -> None:
    """Of one to forty operations (to ten where pictures take long), with many and few leaves, narrow and wide."""
    rng, most = random.Random(name), 10 if "multimodal" in name else 40
    for seed in SEEDS:
        dials = f"ops={1 + seed % most},width={rng.choice((0, 4, 12))},consolidation={rng.choice((0.3, 1))}"
        instance = f"{name},{dials}"
        with open_instance(tmp_path / str(seed), instance, seed) as (agent, facts):
            assert find_task(instance).proof().walk_graph(agent, Perfect()) == facts["answer"], (instance, seed)
            assert agent.calls == len(facts["documents"]), "every document is read once"


PUBLISHED = [
    *(f"lore_published/{domain}" for domain in ("documents", "multimodal", "code")),
    *(f"lore_published/{domain}@variant=hard" for domain in ("multimodal", "code")),
]
"""The paper's sets: Standard, and Hard."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_tasks_as_published_are_solved(name: str, tmp_path: Path) -> None:
    most = 10 if "multimodal" in name else 40
    for seed in range(count_tries(200, 2)):
        instance = f"{name}{',' if '@' in name else '@'}ops={1 + 3 * seed % most}"
        with open_instance(tmp_path / str(seed), instance, seed) as (agent, facts):
            assert find_task(instance).proof().walk_graph(agent, Perfect()) == facts["answer"], (instance, seed)
            assert agent.calls == len(facts["documents"]), "every document is read once"


@pytest.mark.drill
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_longest_tasks_as_published_are_solved(name: str, tmp_path: Path) -> None:
    instance = f"{name}{',' if '@' in name else '@'}ops=350"
    with open_instance(tmp_path / "w", instance, 1) as (agent, facts):
        assert find_task(instance).proof().walk_graph(agent, Perfect()) == facts["answer"]
        assert facts["measures"]["height"] > 20


@pytest.mark.parametrize("variant", ["standard", "hard"])
def test_rules_in_pictures_of_large_numbers_are_solved(variant: str, tmp_path: Path) -> None:
    for seed in range(count_tries(60, 1)):
        instance = f"lore/multimodal@ops={2 + seed % 6},variant={variant},formulas=values+rules"
        with open_instance(tmp_path / str(seed), instance, seed) as (agent, facts):
            assert find_task(instance).proof().walk_graph(agent, Perfect()) == facts["answer"], (instance, seed)


@pytest.mark.drill
def test_workspaces_are_solved(tmp_path: Path) -> None:
    """Of one to eight operations over three kinds of places; pictures in a tenth, since reading them takes long."""
    rng, written = random.Random(11), [kind for kind in KINDS if kind != "scans"]
    walk = find_task("lore/workspace").proof().walk_graph
    for seed in SEEDS:
        places = "+".join([*rng.sample(written, 3), *(["scans"] if seed % 10 == 0 else [])])
        dials = f"ops={1 + seed % 8},places={places},width={rng.choice((0, 4, 12))},distractors={rng.randint(1, 3)}"
        with skip_syncing():
            opened_episode = open_new(load_task(f"lore/workspace@{dials}"), seed, tmp_path / str(seed))
            assert walk(ToolAgent(opened_episode), Perfect()) == opened_episode.seeded.facts["answer"], (dials, seed)


class Wrong(Perfect):
    """Makes one mistake, in the operation of that number."""

    def __init__(self, number: int) -> None:
        self.left = number

    def worked_out(self, value: Value) -> Value:
        self.left -= 1
        return (value + 1 if isinstance(value, int) else value + "x") if self.left == 0 else value


@pytest.mark.parametrize(
    "name", ["lore/documents@operators=add+subtract", "lore/documents@mode=top-down,operators=add+subtract"]
)
def test_every_operation_is_needed(name: str, tmp_path: Path) -> None:
    for number in range(1, 11):
        with open_instance(tmp_path / str(number), name, 5) as (agent, facts):
            assert find_task(name).proof().walk_graph(agent, Wrong(number)) != facts["answer"]


def test_who_forgets_a_value_finds_no_answer(tmp_path: Path) -> None:
    class Forgetful(Perfect):
        def forgets(self, stored_value: int) -> bool:
            return stored_value > 1

    with open_instance(tmp_path / "w", "lore/documents", 1) as (agent, _):
        assert find_task("lore/documents").proof().walk_graph(agent, Forgetful()) == NO_ANSWER


@pytest.mark.parametrize(
    ("text", "values", "rule", "target", "others"),
    [
        ("Field v5 contains vGz. v2: -46.", {"5": "vGz", "2": -46}, (), "", ()),
        ("v1 = 3. X is v4 minus v7. Read 'v8%X'. Entry v9 reads 4.", {"1": 3, "9": 4}, ("4", "7"), "v8", ()),
        ("See the documents 'v1%aB', 'v2%-5'.", {}, (), "", ("v1%aB", "v2%-5")),
        (
            "v0 is the remainder of v1 + v2 on division by 7. Documents: v1 in 'v3%a', v2 in 'v4%b'.",
            *({}, ("0", "1", "2"), "", ("v3%a", "v4%b")),
        ),
    ],
)  # fmt: skip
def test_what_a_document_says_is_understood(
    text: str, values: dict[str, Value], rule: tuple[str, ...], target: str, others: tuple[str, ...]
) -> None:
    page = page_of(text)
    assert (page.values, page.over, page.target, page.others) == (values, rule, target, others)


def test_rules_in_words_are_calculated() -> None:
    assert calculate_rule("v1 - v2 - v3", [1, 5, 10]) == -14
    assert calculate_rule("the sum of v1 and v2", [1, 5]) == 6
    assert calculate_rule("the texts v1 and v2 joined in this order", ["ab", "c"]) == "abc"
    assert calculate_rule("v0 is the remainder of v1 minus v2 on division by 7", [1, 5]) == 3
    joined = "v0 is the remainder of the 6-digit numbers v1 and v2 (with zeros in front) joined on division by 7"
    assert calculate_rule(joined, [12, 5]) == 12_000_005 % 7
    assert calculate_rule("v1 and v2, each written with 6 digits, one behind the other,", [12, 5]) == 12_000_005


def test_pictures_are_read_right_from_their_pixels() -> None:
    rng = random.Random(17)
    for variant in ("standard", "hard"):
        show = Pictures(variant, rng)
        for number in range(count_tries(50, 10)):
            value = rng.randint(-999_999, 999_999)
            formula_picture = show._show_formula(number, value)["picture"]
            assert formula_value(encode_png(draw_picture(formula_picture)), str(number)) == value, formula_picture
            count = rng.randint(3, 24)
            count_picture = show._show_count(number, count)
            what = count_picture["text"].split("number of ")[1].removesuffix(" in the picture.")
            assert count_objects(encode_png(draw_picture(count_picture["picture"])), what) == count, count_picture


def test_rules_are_read_right_from_their_pixels() -> None:
    """However they are turned and mirrored; a rule too long to be read in a picture stays in words."""
    rng = random.Random(19)
    for variant in ("standard", "hard"):
        show = Pictures(variant, rng, ["rules"])
        for _ in range(count_tries(60, 8)):
            sign, numbers = rng.choice("+-"), rng.sample(range(rng.choice((10, 100, 3000))), rng.randint(2, 5))
            rule = f" {sign} ".join(f"v{number}" for number in numbers)
            rule_picture = show.show_rule(rule, 7, "in words")
            assert ("picture" in rule_picture) == (len(rule) <= LONGEST_RULE)
            if "picture" in rule_picture:
                assert "'v7%X'" in rule_picture["text"]
                assert read_rule(encode_png(draw_picture(rule_picture["picture"]))) == rule, rule_picture
    assert show.show_rule("", 7, "in words") == {"text": "in words"}


def test_a_formula_of_another_variable_or_none_is_not_read() -> None:
    image = encode_png(draw_picture({"formula": "v5 = 8 + 80"}))
    assert formula_value(image, "5") == 88
    for data, variable in ((image, "6"), (encode_png(draw_picture({"objects": [], "size": [90, 90]})), "5")):
        with pytest.raises(Illegible):
            formula_value(data, variable)
    with pytest.raises(Illegible):
        read_rule(image)


@pytest.mark.parametrize("change", [["flip", "horizontal"], ["flip", "vertical"], ["rotate", 180]])
def test_a_mirrored_formula_is_not_read_backwards(change: list[object]) -> None:
    """80 - 8 mirrored looks like 8 - 08: the variable in front tells which side is the first."""
    assert formula_value(encode_png(apply_change(draw_picture({"formula": "v8 = 80 - 8"}), change)), "8") == 72


@pytest.mark.parametrize("text", ["", "3 +", "3 / 4", "a + 1", "08 - 1", "__import__('os')", "9" * 30 + "**9"])
def test_what_is_no_formula_has_no_value(text: str) -> None:
    assert evaluate_formula(text) is None
