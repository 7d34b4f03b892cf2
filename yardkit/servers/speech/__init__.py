"""Speech: transcription, synthesis, denoising, speaker comparison, language identification."""

GROUP = "perception"

PROGRAMS = {"espeak-ng": "speak_text in languages other than English"}
"""System programs that some tools call, and what does not work without each."""
