"""Names of languages: the codes and English names that speech models use."""

from functools import cache
from importlib import resources

from yardkit.world import Problem


@cache
def language_names() -> dict[str, str]:
    """Map codes (ISO 639-1 if there is one) to English names."""
    lines = resources.files(__package__).joinpath("language_names.txt").read_text("utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines)


def language_name(code: str) -> str:
    """Name a language: ``German (de)``, or only the code if it is unknown."""
    name = language_names().get(code)
    return f"{name} ({code})" if name else code


def language_code(named: str) -> str:
    """Return the code of a language given by code (``de``, ``de-AT``) or English name.

    Raises:
        Problem: the language is unknown.
    """
    word = named.strip().lower()
    codes = {name.lower(): code for code, name in language_names().items()}
    code = codes.get(word, word.replace("_", "-").split("-")[0])
    if code not in language_names():
        raise Problem(f"{named!r} is not a known language; give a code such as 'en', 'de', 'fr', 'zh'")
    return code
