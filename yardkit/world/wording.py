"""Numbers with nouns for answers."""


def format_count(number: int, noun: str) -> str:
    """Format a count such as "1 page" or "2 pages", for nouns whose plural takes an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
