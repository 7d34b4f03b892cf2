"""Small models that ship inside ordinary packages and work on the CPU: fetched once, checked, converted, run apart."""
