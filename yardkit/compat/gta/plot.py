"""The plotter in the dialect of GTA: a program whose `solution()` gives a figure."""

from yardkit.compat.gta import name_by_content
from yardkit.kit.dialect import Delivered, choose_deliverable
from yardkit.kit.fenced_code import unfence_program
from yardkit.servers.plot.engine import code
from yardkit.world import FileRef, current_world

SECONDS = 20.0
_HEADER = "import matplotlib.pyplot as plt\n"


def Plot(command: str) -> Delivered:
    path = choose_deliverable(name_by_content("plot", command), ".png", None)
    code.run(_HEADER + unfence_program(command), path, current_world().files, wall_s=SECONDS)
    return Delivered(FileRef.from_path(path))
