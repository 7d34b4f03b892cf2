"""GTA and GTA-2 as published: their data sets read, their metrics computed.

Sources: Wang et al., "GTA: A Benchmark for General Tool Agents", 2024 (the set Atomic); its successor GTA-2, 2026 (the
set Workflow). The data are the user's download; nothing here contains them.
"""
