"""Recipes: found, written out with their steps, chosen for meals, and summed up for a shop."""
