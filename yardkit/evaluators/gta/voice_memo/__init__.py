"""The task gta/voice_memo."""
