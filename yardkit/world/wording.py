"""Numbers in the words of answers."""


def format_count(number: int, noun: str) -> str:
    """Such as "1 page" or "2 pages"; a noun whose plural takes an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
