"""Music as notes: compose, render to audio, describe, edit, engrave and draw."""

GROUP = "media"

PROGRAMS = {"fluidsynth": "render_music, which plays notes into sound"}
"""System programs that some tools call, and what does not work without each."""
