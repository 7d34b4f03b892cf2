"""Run shell commands on the files of the workspace, without network: pipes, redirections, common programs."""

GROUP = "code"

PROGRAMS = {"bwrap": "all of it: commands run only inside its walls"}
"""System programs that tools call, and what does not work without each."""

RUNS_CODE = True
"""Tools run code of the agent, which can do the work of any other tool."""
