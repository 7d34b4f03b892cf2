"""A woven tree as a program: each node is a module whose ``main`` returns its value; the root is ``main.py``."""

import random
import re
from collections.abc import Sequence
from typing import Any

from yardkit.benchmarks.lore.generation import top_down
from yardkit.benchmarks.lore.generation.bodies import CONSTRUCTS, Body, Draft, number_of
from yardkit.benchmarks.lore.generation.documents import top_down_leads
from yardkit.benchmarks.lore.generation.interleaving import idle_coroutine
from yardkit.benchmarks.lore.generation.operators import LARGE, Scale, Value
from yardkit.benchmarks.lore.generation.sums import drawn_sum
from yardkit.benchmarks.lore.generation.task import LoreTask, Step

_NUMBER = re.compile(r"\d+")
_CONSTANTS = ("BASE", "CREDIT", "DEPOSIT", "LIMIT", "OFFSET", "QUOTA", "RESERVE", "SHARE", "STEP", "TARGET")
_IDLE_CONSTANTS = ("BUDGET", "CAPACITY", "FLOOR", "MARGIN", "MAXIMUM", "MINIMUM", "RATE", "THRESHOLD")
_IDLE_FUNCTIONS = ("adjusted", "estimate", "expected", "fallback", "forecast", "previous", "rounded", "scaled")
_ROOT = "main"
_KEY_LETTERS, _KEY_LENGTH = "bcdfghjklmnpqrstvwxz", 5
"""No vowels, so that no words arise; millions of keys, so that a module cannot be found but by an import."""
_GUARD = ['if __name__ == "__main__":', "    print(main())"]

Node = top_down.Node


def program_task(
    rng: random.Random, operators: Sequence[str], distractors: float, scale: Scale = LARGE, **dials: Any
) -> LoreTask:
    """A program and what it returns.

    Args:
        rng: the only source of chance.
        operators: names of constructs.
        distractors: share of files with functions or variables that nothing uses.
        scale: how large numbers are.
        dials: as `top_down.grown` takes them.
    """
    while True:
        task = _generate_program(rng, operators, distractors, scale, **dials)
        # Whoever looks for the answer among the numbers of the files must not find it.
        if task.answer not in {number for record in task.records for number in _NUMBER.findall(record["text"])}:
            return task


def _generate_program(
    rng: random.Random, operators: Sequence[str], distractors: float, scale: Scale, **dials: Any
) -> LoreTask:
    modules: dict[Node, str] = {}

    def grow() -> top_down.GeneratedTree:
        generated_tree = top_down.grow_tree(rng, **dials)
        modules.update({node: _name_module(node, rng) for node in generated_tree.nodes})
        return generated_tree

    def draw(node: Node) -> Draft:
        return CONSTRUCTS[rng.choice(operators)].draft([modules[child] for child in node.children], rng, scale)

    generated_tree, drafts = top_down.root_tree(grow, draw)
    texts: dict[Node, str] = {}
    for node in reversed(generated_tree.nodes):
        if node in drafts:
            values = [child.value for child in node.children]
            node.value, body = drafts[node].compute_value(values), drafts[node].write(values, rng)
        else:
            node.value = int(scale.value("number", rng))
            body = _write_constant(node.value, rng)
        texts[node] = _write_file_text(node, [modules[child] for child in node.children], body, distractors, rng, scale)
    records = [{"id": f"{modules[node]}.py", "text": texts[node]} for node in generated_tree.nodes]
    steps = [
        Step(f"{modules[node]}.py", f"{modules[node]}.main() = {node.value}", str(node.value) if node.children else "")
        for node in generated_tree.trajectory()
    ]
    leads = top_down_leads(generated_tree, {node: f"{module}.py" for node, module in modules.items()})
    return LoreTask(
        records, [f"{_ROOT}.py"], "main()", str(generated_tree.root.value), generated_tree.height, steps, leads=leads
    )


def _name_module(node: Node, rng: random.Random) -> str:
    """What a module is called."""
    return f"v{node.number - 1}_{''.join(rng.choices(_KEY_LETTERS, k=_KEY_LENGTH))}" if node.number else _ROOT


def _write_constant(value: Value, rng: random.Random) -> Body:
    """A leaf's body."""
    name, way = rng.choice(_CONSTANTS), rng.randint(1, 3)
    if way == 1:
        return Body([f"    return {value}"])
    if way == 2:
        return Body([f"    return {name}"], variables=[f"{name} = {value}"])
    return Body([f"    {name.lower()} = {value}", f"    return {name.lower()}"])


def _write_file_text(
    node: Node, modules: Sequence[str], body: Body, distractors: float, rng: random.Random, scale: Scale
) -> str:
    """The whole file; `modules` are those that it imports."""
    modules = sorted(modules, key=number_of)
    has_idle_code = rng.random() < distractors
    idle_variables, idle_blocks = _write_idle_code(modules, body.shared, rng, scale) if has_idle_code else ([], [])
    # Values of a module that several import are worked out once, so that running the program stays linear.
    shared = len(node.parents) > 1 and bool(modules)
    imports = [*body.imports, *(["functools"] if shared else [])]
    variables = [*body.variables, *idle_variables]
    rng.shuffle(variables)
    main = [*(["@functools.cache"] if shared else []), "def main():", *body.main]
    blocks = [*body.blocks]
    for block in [*idle_blocks, main]:
        blocks.insert(rng.randint(len(body.blocks), len(blocks)), block)
    if not node.number:
        blocks.append(_GUARD)
    heads = [[f"import {name}" for name in some] for some in (imports, modules)]
    head = "\n\n".join("\n".join(part) for part in [*heads, variables] if part)
    return "\n\n\n".join([*([head] if head else []), *("\n".join(block) for block in blocks)]) + "\n"


def _write_idle_code(
    modules: Sequence[str], shared: str, rng: random.Random, scale: Scale
) -> tuple[list[str], list[list[str]]]:
    """Variables and functions that nothing uses, one or two: a function may well use what the module imports, a
    coroutine what others share.
    """
    variables, blocks = [], []
    if rng.random() < 0.6:
        variables.append(f"{rng.choice(_IDLE_CONSTANTS)} = {scale.value('number', rng)}")
    if not variables or rng.random() < 0.5:
        blocks.append(idle_coroutine(shared, rng, scale) if shared else _idle_function(modules, rng, scale))
    return variables, blocks


def _idle_function(modules: Sequence[str], rng: random.Random, scale: Scale) -> list[str]:
    name = rng.choice(_IDLE_FUNCTIONS)
    if modules and rng.random() < 0.5:
        some = drawn_sum([f"{module}.main()" for module in modules[:2]], rng)
        return [f"def {name}():", f"    return {scale.reduce_sum_in_code(some.text)}"]
    factor, rest = rng.randint(2, 9), scale.choose_positive(rng)
    if rng.random() < 0.5:
        return [
            f"def {name}(value):",
            f"    if value > {rest}:",
            f"        return value // {factor}",
            "    return value",
        ]
    return [f"def {name}(value):", f"    return {scale.reduce_sum_in_code(f'{factor} * value + {rest}')}"]
