"""Finds recipes, plans meals around what somebody cannot eat, and writes shopping lists."""

GROUP = "apps"
