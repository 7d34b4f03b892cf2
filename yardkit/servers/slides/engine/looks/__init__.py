"""How shapes look: fill, line, effects, what they inherit, and whether text can be told from what is behind it."""
