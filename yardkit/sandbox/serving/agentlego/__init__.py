"""Serving tools of the dialect ``gta`` in the format of AgentLego.

Format: the package agentlego 0.2.0 (``server/server.py``, ``tools/remote.py``, ``utils/openapi``), Apache-2.0; the code
is our own.
"""
