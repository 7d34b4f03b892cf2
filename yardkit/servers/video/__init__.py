"""Videos cut, joined, written on, subtitled, turned, given sound, made of pictures, and looked at frame by frame."""

GROUP = "media"
