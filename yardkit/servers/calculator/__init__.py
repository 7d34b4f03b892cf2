"""Calculate exactly or in floating point: arithmetic, mathematical functions, units, statistics of a list."""

GROUP = "logic"
