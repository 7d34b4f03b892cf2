"""The work of the speech server, without MCP."""

from toolyard.servers.speech.engine.transcripts import Transcript, transcribe

__all__ = ["Transcript", "transcribe"]
