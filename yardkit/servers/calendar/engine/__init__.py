"""Work on calendars: plain functions over the files of a world, or over a CalDAV server."""
