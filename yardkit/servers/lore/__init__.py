"""Read documents of a long-horizon task one at a time, by names that must be discovered."""

GROUP = "apps"
