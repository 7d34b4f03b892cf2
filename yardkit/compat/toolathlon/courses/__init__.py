"""Courses in the dialect of Toolathlon's canvas: 69 tools, with Canvas's objects as indented JSON.

Lists come whole, but for people of the account; what is longer than a result goes on with `offset`.
"""
