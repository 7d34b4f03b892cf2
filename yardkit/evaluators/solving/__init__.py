"""What the solvers of several tasks share: calls of tools. Checks never import it."""
