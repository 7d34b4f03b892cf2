"""A woven tree as documents that say values, rules and names: the domain of documents, in both modes."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from toolyard.state_init.weaving import bottom_up, top_down
from toolyard.state_init.weaving.operators import MODULUS
from toolyard.state_init.weaving.phrases import Idle, list_sentence, rule_sentence, value_sentence
from toolyard.state_init.weaving.task import LoreTask, Step

Shown = dict[str, Any]
"""What a document holds besides its id: ``text``, and perhaps ``picture``."""
Show = Callable[[int, Any, str], Shown]
"""How the value of a variable is shown: its number, the value, and the sentence that would say it in words."""


def in_words(_variable: int, _value: Any, sentence: str) -> Shown:
    """The value stands in the text."""
    return {"text": sentence}


def bottom_up_task(woven: bottom_up.Woven, rng: random.Random, distractors: float, show: Show = in_words) -> LoreTask:
    """The documents of a tree in which results are names."""
    idle = Idle(distractors, _first_free(woven), ("number", "text"), rng)
    records = [{"id": node.name, **_shown(node, idle, rng, show)} for node in woven.nodes]
    steps = [_step(node) for node in woven.trajectory()]
    starts, root = [node.name for node in woven.starts], woven.root
    return LoreTask(records, starts, f"v{root.variable}", str(root.value), woven.height, steps, root.name)


def _first_free(woven: bottom_up.Woven) -> int:
    return 1 + max(max(node.number, node.variable) for node in woven.nodes)


def _shown(node: bottom_up.Node, idle: Idle, rng: random.Random, show: Show) -> Shown:
    if node.role == "value":
        sentence = value_sentence(node.variable, node.value, rng)
        shown = show(node.variable, node.value, sentence) if isinstance(node.value, int) else {"text": sentence}
        return {**shown, "text": idle.around(shown["text"])}
    if node.role == "list":
        return {"text": idle.around(list_sentence([child.name for child in node.listed], rng))}
    assert node.operator is not None and node.target is not None  # noqa: PT018, S101 - a rule has both
    rule = node.operator.said([f"v{given.variable}" for given in node.inputs], rng)
    return {"text": idle.around(rule_sentence(node.target.number, rule, rng))}


def _step(node: bottom_up.Node) -> Step:
    return (
        Step(node.name) if node.source is None else Step(node.name, f"by v{node.source.number}: {node.key}", node.key)
    )


def top_down_task(woven: top_down.Woven, rng: random.Random, distractors: float, show: Show = in_words) -> LoreTask:
    """The documents of a tree in which each node names those that it follows from."""
    names = {node: f"v{len(woven.nodes) + node.number}%{_key(rng)}" for node in woven.nodes}
    idle = Idle(distractors, 2 * len(woven.nodes), ("number",), rng)
    records = []
    for node in woven.nodes:
        shown = _derived(node, woven, names, rng) if node.children else _leaf(node, show, rng)
        records.append({"id": names[node], **shown, "text": idle.around(shown["text"])})
    steps = [
        Step(names[node], f"v{node.number} = {node.value}", str(node.value) if node.children else "")
        for node in woven.trajectory()
    ]
    return LoreTask(records, [names[woven.root]], f"v{woven.root.number}", str(woven.root.value), woven.height, steps)


def _leaf(node: top_down.Node, show: Show, rng: random.Random) -> Shown:
    return show(node.number, node.value, value_sentence(node.number, node.value, rng))


def _derived(node: top_down.Node, woven: top_down.Woven, names: dict[top_down.Node, str], rng: random.Random) -> Shown:
    rule = woven.rules[node].said([f"v{child.number}" for child in node.children], rng)
    where = ", ".join(f"v{child.number} in '{names[child]}'" for child in node.children)
    told = f"v{node.number} is the remainder of {rule} on division by {MODULUS}."
    return {"text": f"{told} Documents: {where}."}


def _key(rng: random.Random) -> str:
    return "".join(rng.choices(bottom_up.KEY_LETTERS, k=bottom_up.KEY_LENGTH))


def told_starts(task: LoreTask) -> str:
    """The names that the prompt gives."""
    return "\n".join(_wrapped(task.starts))


def _wrapped(names: list[str]) -> Iterator[str]:
    for start in range(0, len(names), 8):
        yield ", ".join(names[start : start + 8]) + ("," if start + 8 < len(names) else "")
