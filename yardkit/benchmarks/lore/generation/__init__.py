"""Tasks of any length, woven as trees of dependent operations: TaskWeaver's Algorithm 1 in both modes."""
