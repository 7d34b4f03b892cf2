"""Optional packages: the extra of the distribution with a module, and the error if it is missing."""

from functools import cache
from importlib import metadata

from yardkit.world.problem import Unavailable

_MODULE_OF = {
    "beautifulsoup4": "bs4",
    "google-re2": "re2",
    "fonttools": "fontTools",
    "markdown-it-py": "markdown_it",
    "opencv-python-headless": "cv2",
    "python-docx": "docx",
    "python-pptx": "pptx",
    "pillow": "PIL",
    "z3-solver": "z3",
    "zxing-cpp": "zxingcpp",
}
"""Distributions whose module is not their name with underscores."""


@cache
def read_extras() -> dict[str, dict[str, str]]:
    """Read extra -> {module: requirement} from the metadata, without ``all``; ``{"prover": {"z3": "z3-solver"}}``."""
    from packaging.requirements import Requirement

    about = metadata.metadata("yardkit")
    names = set(about.get_all("Provides-Extra") or []) - {"all"}
    requirements: dict[str, dict[str, str]] = {name: {} for name in sorted(names)}
    for line in about.get_all("Requires-Dist") or []:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.name == "yardkit":
            continue
        for name, modules in requirements.items():
            if requirement.marker.evaluate({"extra": name}):
                modules[module_of(requirement.name)] = f"{requirement.name}{requirement.specifier}"
    # Metadata has hyphens where pyproject.toml and the servers have underscores.
    return {name.replace("-", "_"): modules for name, modules in requirements.items() if modules}


def module_of(distribution: str) -> str:
    """Return the module that a distribution is imported as."""
    return _MODULE_OF.get(distribution, distribution.replace("-", "_"))


def missing_package(error: ModuleNotFoundError, extra: str = "") -> Unavailable | None:
    """Make the problem for a failed import of an optional package; None if no extra has the package.

    `extra` is preferred if it has the module, because several extras may have it.
    """
    module = (error.name or "").split(".")[0]
    names = [name for name, modules in read_extras().items() if module in modules]
    if not names:
        return None
    name = extra if extra in names else names[0]
    return Unavailable(
        f"the package {read_extras()[name][module]!r} is not installed; `pip install 'yardkit[{name}]'` "
        "brings what this needs"
    )
