"""The work on files and folders of a world: plain functions of a world and paths that are already safe."""
