"""Readers of what is seen and heard: how pictures are composed, what is written on them; films and sounds."""
