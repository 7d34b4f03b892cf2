"""The work of the counting server, without MCP."""

from yardkit.servers.counting.engine.count import CountedThing, ObjectCount, Wanted, count_objects

__all__ = ["CountedThing", "ObjectCount", "Wanted", "count_objects"]
