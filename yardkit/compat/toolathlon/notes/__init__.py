"""Notes in the dialect of Toolathlon: the 19 tools of its notion server, with the objects of Notion's API of 2022-06-28
as compact JSON.
"""
