"""The work of the audio server, without MCP: a change is a stream of blocks of samples made into another."""
