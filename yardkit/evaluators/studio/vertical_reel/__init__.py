"""The task studio/vertical_reel."""
