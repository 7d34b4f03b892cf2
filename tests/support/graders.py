"""References that a grade is compared with, to be found by name in another process."""


def unsolved(_task: str, _seed: int) -> None:
    """A task whose solver fails on this machine."""
