"""Tools of the dialect ``gta`` as AgentLego describes and serves them.

Source: the package agentlego 0.2.0 (``server/server.py``, ``tools/remote.py``, ``utils/openapi``), Apache-2.0; the code
is our own.
"""
