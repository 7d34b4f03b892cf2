"""Drawing from the leaves of a tree that grows."""

import random
from typing import TypeVar

Leaf = TypeVar("Leaf")


def take_random_leaf(leaves: list[Leaf], rng: random.Random) -> Leaf:
    """A random leaf, taken out at once: the order of the others does not matter."""
    place = rng.randrange(len(leaves))
    leaves[place], leaves[-1] = leaves[-1], leaves[place]
    return leaves.pop()
