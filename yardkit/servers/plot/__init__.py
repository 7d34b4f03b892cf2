"""Draw charts and functions from data, and run Matplotlib code in isolation."""

GROUP = "media"

PROGRAMS = {"bwrap": "run_plot_code, which runs code of an agent"}
"""System programs that some tools call, and what does not work without each."""

RUNS_CODE = True
"""Tools run code of the agent, which can do the work of any other tool."""
