"""Pages that are drawn from the apps of a world, at addresses of their own; the forms on them change the apps."""
