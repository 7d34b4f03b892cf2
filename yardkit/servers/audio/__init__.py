"""Audio: cut, join, mix, fade, level, shift pitch, denoise, convert, draw, measure and compare."""

GROUP = "media"
