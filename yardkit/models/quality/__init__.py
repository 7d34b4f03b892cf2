"""Standard measures of models' outputs: boxes, words, counts, expressions, sounds, classes, voices."""
