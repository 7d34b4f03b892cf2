"""The lowest layer: worlds, safe paths, atomic saves, limits, problems."""

from yardkit.world.paths import AnyEntry, FileRef, InDir, InEntry, InFile, InPath, OutDir, OutEntry, OutFile
from yardkit.world.problem import Problem, Unavailable, reason_of
from yardkit.world.save import lock_file, save_atomically, save_bytes, save_text, skip_syncing
from yardkit.world.world import World, current_world, remove_world, set_world, use_world

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
    "lock_file",
    "reason_of",
    "remove_world",
    "save_atomically",
    "save_bytes",
    "save_text",
    "set_world",
    "skip_syncing",
    "use_world",
]
