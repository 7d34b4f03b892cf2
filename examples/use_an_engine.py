"""Use a server's engine as a library, without MCP, and mount the server into your own."""

from pathlib import Path

from fastmcp import FastMCP

from yardkit.servers.calculator.engine.expressions import evaluate_expression
from yardkit.servers.calculator.engine.units import convert_unit
from yardkit.servers.calculator.server import mcp as calculator
from yardkit.world import World, set_world

print(evaluate_expression("0.1 + 0.2").exact)
print(convert_unit(5, "mile", "km").value)

set_world(World.open_user_folder(Path()))
server = FastMCP("mine")
server.mount(calculator)
