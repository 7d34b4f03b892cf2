"""Toolyard: real MCP tool servers, seeded workspaces and proven evaluators for agents."""
