"""Music as notes: composed, played into sound, described, edited, engraved and drawn."""

GROUP = "media"

PROGRAMS = {"fluidsynth": "render_music, which plays notes into sound"}
"""System programs that some tools call, and what does not work without each."""
