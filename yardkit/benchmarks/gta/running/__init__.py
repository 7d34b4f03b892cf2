"""Models and agents at work on the sets, our suite among them, and the judge of their deliverables."""
