"""The work of the mail server: reading, finding, writing and sending. No MCP in here."""
