"""Small models from ordinary packages that run on the CPU: fetched once, checked, converted, run in a process."""
