"""The worker: one process for each GPU (or the CPU), which keeps models within its memory and answers over HTTP."""
