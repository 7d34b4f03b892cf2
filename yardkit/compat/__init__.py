"""Other suites' tools over our engines: their schemas as data, and a handler for each tool.

Only `yardkit.sandbox.serving.registry` imports this package, by name.
"""
