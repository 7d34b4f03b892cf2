"""Speech: written down, spoken, cleaned of noise; voices compared; languages told."""

GROUP = "perception"

PROGRAMS = {"espeak-ng": "speak_text in languages other than English"}
"""System programs that some tools call, and what does not work without each."""
