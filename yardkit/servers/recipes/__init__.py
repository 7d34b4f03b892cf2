"""Finds recipes, plans meals around ingredients to avoid, and writes shopping lists."""

GROUP = "apps"
