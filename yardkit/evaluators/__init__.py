"""Scripts that judge final states; checkpoints, scoring, readers, mutations. Never visible to an agent."""
