"""Documents of a long-horizon task that are read one by one, by names that must be found out."""

GROUP = "apps"
