"""Run a program that uses top-level ``await``, as a notebook does."""

import ast
import asyncio
import inspect
import sys
from pathlib import Path

code = compile(Path(sys.argv[1]).read_text("utf-8"), sys.argv[1], "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
running = eval(code, {"__name__": "__main__"})
if inspect.iscoroutine(running):
    asyncio.run(running)
