"""Videos: cut, join, add text and subtitles, rotate, change audio, make from pictures, and view frame by frame."""

GROUP = "media"
