"""A woven tree as documents that say values, rules and names: the domain of documents, in both modes."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from yardkit.benchmarks.lore.generation import bottom_up, top_down
from yardkit.benchmarks.lore.generation.operators import MODULUS, Draw, random_value
from yardkit.benchmarks.lore.generation.phrases import Idle, list_sentence, rule_sentence, value_sentence
from yardkit.benchmarks.lore.generation.task import Leads, LoreTask, Step

DocumentContent = dict[str, Any]
"""What a document holds besides its id: ``text``, and perhaps ``picture``."""
Show = Callable[[int, Any, str], DocumentContent]
"""How the value of a variable is shown: its number, the value, and the sentence that would say it in words."""
ShowRule = Callable[[str, int, str], DocumentContent]
"""How a rule is shown: as an expression (empty where it is none), the number of the document that it names, and the
sentence that would say it in words."""


def in_words(_first: Any, _second: Any, sentence: str) -> DocumentContent:
    """The value, or the rule, stands in the text."""
    return {"text": sentence}


def bottom_up_task(
    generated_tree: bottom_up.GeneratedTree,
    rng: random.Random,
    distractors: float,
    show: Show = in_words,
    *,
    show_rule: ShowRule = in_words,
    idle_value: Draw = random_value,
) -> LoreTask:
    """The documents of a tree in which results are names."""
    first_free = 1 + max(max(node.number, node.variable) for node in generated_tree.nodes)
    idle = Idle(distractors, first_free, ("number", "text"), rng, idle_value)
    records = [{"id": node.name, **_show_node(node, idle, rng, show, show_rule)} for node in generated_tree.nodes]
    steps = [
        Step(node.name, f"by v{node.source.number}: {node.key}", node.key) if node.source else Step(node.name)
        for node in generated_tree.trajectory()
    ]
    starts, root = [node.name for node in generated_tree.starts], generated_tree.root
    answer, leads = str(root.value), _collect_leads(generated_tree)
    return LoreTask(records, starts, f"v{root.variable}", answer, generated_tree.height, steps, root.name, leads)


def _collect_leads(generated_tree: bottom_up.GeneratedTree) -> Leads:
    named = {node.name: [child.name for child in node.listed] for node in generated_tree.nodes if node.listed}
    rules = [
        [rule.target.name, rule.name, *(given.name for given in rule.inputs)]
        for rule in generated_tree.rules
        if rule.target
    ]
    return Leads(named, rules)


def _show_node(
    node: bottom_up.Node, idle: Idle, rng: random.Random, show: Show, show_rule: ShowRule
) -> DocumentContent:
    if node.role == "value":
        sentence = value_sentence(node.variable, node.value, rng)
        node_record = show(node.variable, node.value, sentence) if isinstance(node.value, int) else {"text": sentence}
        return {**node_record, "text": idle.surround_sentence(node_record["text"])}
    if node.role == "list":
        return {"text": idle.surround_sentence(list_sentence([child.name for child in node.listed], rng))}
    assert node.operator is not None and node.target is not None  # noqa: PT018, S101 - a rule has both
    names, number = [f"v{given.variable}" for given in node.inputs], node.target.number
    sentence = rule_sentence(number, node.operator.describe_rule(names, rng), rng)
    node_record = show_rule(node.operator.expression(names), number, sentence)
    return {**node_record, "text": idle.surround_sentence(node_record["text"])}


def top_down_task(
    generated_tree: top_down.GeneratedTree, rng: random.Random, distractors: float, show: Show = in_words
) -> LoreTask:
    """The documents of a tree in which each node names those that it follows from."""
    names = {
        node: f"v{len(generated_tree.nodes) + node.number}%{bottom_up.random_key(rng)}" for node in generated_tree.nodes
    }
    idle = Idle(distractors, 2 * len(generated_tree.nodes), ("number",), rng)
    records = []
    for node in generated_tree.nodes:
        if node.children:
            rule = generated_tree.rules[node].describe_rule([f"v{child.number}" for child in node.children], rng)
            where = ", ".join(f"v{child.number} in '{names[child]}'" for child in node.children)
            sentence = f"v{node.number} is the remainder of {rule} on division by {MODULUS}."
            node_record: DocumentContent = {"text": f"{sentence} Documents: {where}."}
        else:
            node_record = show(node.number, node.value, value_sentence(node.number, node.value, rng))
        records.append({"id": names[node], **node_record, "text": idle.surround_sentence(node_record["text"])})
    steps = [
        Step(names[node], f"v{node.number} = {node.value}", str(node.value) if node.children else "")
        for node in generated_tree.trajectory()
    ]
    asked, answer = f"v{generated_tree.root.number}", str(generated_tree.root.value)
    leads = top_down_leads(generated_tree, names)
    return LoreTask(records, [names[generated_tree.root]], asked, answer, generated_tree.height, steps, leads=leads)


def top_down_leads(generated_tree: top_down.GeneratedTree, names: Mapping[top_down.Node, str]) -> Leads:
    """Every name is told by the documents that need it."""
    return Leads(
        {names[node]: [names[child] for child in node.children] for node in generated_tree.nodes if node.children}
    )


def format_start_names(task: LoreTask) -> str:
    """The names that the prompt gives, eight to a line."""
    return ",\n".join(", ".join(task.starts[start : start + 8]) for start in range(0, len(task.starts), 8))
