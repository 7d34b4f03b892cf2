"""Published benchmarks as published, each in a folder of its own: its data, metrics, tables and commands.

To drop a benchmark, delete its folder and the suites that are named after it. Only the tasks of these suites import it;
the rest of Yardkit finds what a benchmark offers by its file (`yardkit.sandbox.benchmarks`).
"""
