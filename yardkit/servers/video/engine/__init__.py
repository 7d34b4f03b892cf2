"""The work of the video server, without MCP: a change makes a stream of pictures into another, its sound beside it."""
