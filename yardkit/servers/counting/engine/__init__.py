"""The work of the counting server, without MCP."""

from yardkit.servers.counting.engine.count import CountedThing, CountTarget, ObjectCount, count_objects

__all__ = ["CountTarget", "CountedThing", "ObjectCount", "count_objects"]
