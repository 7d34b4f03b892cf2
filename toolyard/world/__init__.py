"""The ground that everything stands on: worlds, safe paths, atomic saves, limits, problems."""

from toolyard.world.paths import AnyEntry, InDir, InEntry, InFile, InPath, OutDir, OutEntry, OutFile
from toolyard.world.problem import Problem, Unavailable, reason_of
from toolyard.world.refs import FileRef
from toolyard.world.save import locked, save_bytes, save_text, saving, unsynced
from toolyard.world.world import World, current_world, remove_world, set_world, use_world

__all__ = [
    "AnyEntry",
    "FileRef",
    "InDir",
    "InEntry",
    "InFile",
    "InPath",
    "OutDir",
    "OutEntry",
    "OutFile",
    "Problem",
    "Unavailable",
    "World",
    "current_world",
    "locked",
    "reason_of",
    "remove_world",
    "save_bytes",
    "save_text",
    "saving",
    "set_world",
    "unsynced",
    "use_world",
]
