"""The worker: one process per GPU (or for the CPU), which manages models in memory and answers over HTTP."""
