"""The field's measures of what models give: boxes, words, counts, expressions, sounds, classes, voices."""
