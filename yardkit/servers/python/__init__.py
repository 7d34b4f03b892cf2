"""Run Python programs on the files of the workspace, without network; the files they write are kept."""

GROUP = "code"

PROGRAMS = {"bwrap": "all of it: programs of an agent run only inside its walls"}
"""System programs that tools call, and what does not work without each."""

RUNS_CODE = True
"""Tools run code of the agent, which can do the work of any other tool."""
