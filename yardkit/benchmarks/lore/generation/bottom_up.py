"""Bottom-up: what is found by solving says which document to read next.

Every node is a document. It holds a value, a rule (over values of other documents, whose result completes the name of a
third), or a list of names. An agent begins with the names of the leaves and ends at the root, whose value is asked for.
"""

import random
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from yardkit.benchmarks.lore.generation.leaves import take_random_leaf
from yardkit.benchmarks.lore.generation.operators import Draw, Operator, Value, parse_operators, random_value

ROOT_LETTERS = 8
KEY_LETTERS = string.ascii_letters + string.digits
KEY_LENGTH = 6


def random_key(rng: random.Random) -> str:
    """The rest of a name: so many are possible that it cannot be guessed."""
    return "".join(rng.choices(KEY_LETTERS, k=KEY_LENGTH))


def short_key(rng: random.Random) -> str:
    """The rest of a name as in the examples of the paper: one to four letters; X alone would stand for a result."""
    while (key := "".join(rng.choices(string.ascii_letters, k=rng.randint(1, 4)))) == "X":
        pass
    return key


@dataclass(eq=False)
class Node:
    """A document.

    Attributes:
        number: the ``k`` of its name ``v<k>%<key>``.
        role: what it holds: ``value``, ``rule`` or ``list``.
        variable: the number of the variable that holds `value`, for a ``value``.
        operator, inputs, target: of a ``rule``: its result over `inputs` is the key of `target`.
        listed: of a ``list``: the documents that it names.
        key: the rest of its name; the result of `source` where there is one.
        source: the rule whose result names it; None for one whose name is given or listed.
        level: how many documents must be read one after the other before it.
    """

    number: int
    role: Literal["value", "rule", "list"]
    variable: int = -1
    value: Value = 0
    operator: Operator | None = None
    inputs: Sequence["Node"] = ()
    target: "Node | None" = None
    listed: Sequence["Node"] = ()
    key: str = ""
    source: "Node | None" = None
    level: int = 0

    @property
    def name(self) -> str:
        return f"v{self.number}%{self.key}"


@dataclass
class GeneratedTree:
    """A whole task.

    Attributes:
        nodes: the root first, each before what must be read before it.
        starts: the documents whose names the agent is told.
    """

    nodes: list[Node] = field(default_factory=list)
    starts: list[Node] = field(default_factory=list)

    @property
    def root(self) -> Node:
        return self.nodes[0]

    @property
    def height(self) -> int:
        """The longest chain of operations and lists that depend on each other."""
        return self.root.level

    @property
    def rules(self) -> list[Node]:
        """The operations in an order in which they can be solved."""
        return [node for node in self.trajectory() if node.role == "rule"]

    def trajectory(self) -> list[Node]:
        """All documents in an order in which an agent can read them."""
        return sorted(self.nodes, key=lambda node: (node.level, node.number))


def generate_bottom_up(
    rng: random.Random,
    *,
    ops: int,
    operators: str,
    branching: int,
    width: int,
    consolidation: float,
    leaf_value: Draw = random_value,
    new_key: Callable[[random.Random], str] = random_key,
) -> GeneratedTree:
    """A task woven of operations. See `yardkit.benchmarks.lore.generation`.

    Args:
        rng: the only source of chance.
        ops: how many operations.
        operators: names joined by ``+``.
        branching: most values that an operation is over.
        width: of more leaves than these several may be replaced by a list of them; 0: never.
        consolidation: the probability of that, after each operation.
        leaf_value: the value that a rule is over.
        new_key: the rest of a name that nothing has to be worked out for.
    """
    loom = _Loom(rng, leaf_value, new_key)
    root = loom.value_node("".join(rng.choices(string.ascii_letters, k=ROOT_LETTERS)))
    leaves = [root]
    known = parse_operators(operators)
    for _ in range(ops):
        operator = rng.choice(known)
        leaves += loom.expand_leaf(take_random_leaf(leaves, rng), operator, rng.randint(2, branching))
        if 0 < width < len(leaves) and rng.random() < consolidation:
            # Up to twice the width: else more leaves would come with each operation than go, and the prompt would grow.
            some = [take_random_leaf(leaves, rng) for _ in range(rng.randint(2, max(2, min(len(leaves), 2 * width))))]
            leaves.append(loom.list_node(some))
    for leaf in leaves:
        leaf.key = new_key(rng)
    for node in reversed(loom.nodes):  # each depends on newer ones only
        if node.source is not None:
            node.level = 1 + max(given.level for given in [node.source, *node.source.inputs])
        for child in node.listed:
            child.level = node.level + 1
    starts = list(leaves)
    rng.shuffle(starts)
    return GeneratedTree(loom.nodes, starts)


class _Loom:
    """Makes nodes and numbers them."""

    def __init__(
        self,
        rng: random.Random,
        leaf_value: Draw,
        new_key: Callable[[random.Random], str],
    ) -> None:
        self.rng = rng
        self.leaf_value = leaf_value
        self.new_key = new_key
        self.nodes: list[Node] = []
        self.number = 0

    def next_number(self) -> int:
        self.number += 1
        return self.number - 1

    def value_node(self, value: Value) -> Node:
        variable = self.next_number()
        return self._add_node(Node(self.next_number(), "value", variable, value))

    def list_node(self, listed: list[Node]) -> Node:
        for node in listed:
            node.key = self.new_key(self.rng)
        return self._add_node(Node(self.next_number(), "list", listed=listed))

    def expand_leaf(self, leaf: Node, operator: Operator, count: int) -> list[Node]:
        """Make the name of `leaf` the result of a rule over new values; the new leaves."""
        inputs = [self.value_node(self.leaf_value(operator.kind, self.rng)) for _ in range(count)]
        rule = self._add_node(Node(self.next_number(), "rule", operator=operator, inputs=inputs, target=leaf))
        leaf.source = rule
        leaf.key = str(operator.apply([node.value for node in inputs]))
        return [*inputs, rule]

    def _add_node(self, node: Node) -> Node:
        self.nodes.append(node)
        return node
