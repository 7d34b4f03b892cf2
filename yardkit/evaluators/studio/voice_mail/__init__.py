"""Checks and proof of studio/voice_mail."""
