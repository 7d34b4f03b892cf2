"""GTA and GTA-2 as published: reading their data sets and computing their metrics.

Sources: Wang et al., "GTA: A Benchmark for General Tool Agents", 2024 (the set Atomic); its successor GTA-2, 2026 (the
set Workflow). The user downloads the data; nothing here contains them.
"""

COMMAND = "check the data of GTA and GTA-2, and compute their figures for predictions"
