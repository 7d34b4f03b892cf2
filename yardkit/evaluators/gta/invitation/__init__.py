"""The task gta/invitation."""
