"""Photographs that tests of perception look at."""

from pathlib import Path

PICTURES = Path(__file__).parents[1] / "pictures"
COFFEE = PICTURES / "coffee.jpg"
"""600 x 400: a cup on a saucer fills most of it."""
ASTRONAUT = PICTURES / "astronaut.jpg"
"""400 x 400: a woman who looks into the camera, to her waist."""
CAT = PICTURES / "cat.jpg"
"""451 x 300: the head of a cat."""
COINS = PICTURES / "coins.png"
"""384 x 303: 24 coins on a ground that is darker at one side, with a black corner at the lower right."""
