"""The program that runs inside the isolated runner around an agent's Matplotlib code.

It is never imported by us: `code.py` sends its text, followed by a call of `main`. So it stands on Matplotlib alone.
"""

import json
import linecache
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

CODE_NAME = "plot_code.py"


def main(source: str, fonts: str, target: str, dpi: int | None, max_pixels: int) -> None:
    """Run `source`, find its figure, save it as `target` and what is in it beside that as JSON."""
    warnings.filterwarnings("ignore", message=".*non-interactive.*")
    saved = _prepare_fonts(Path(fonts))
    figure = _find_figure(_run(source), saved)
    resolution = dpi or min(max(figure.dpi, 150), 300)
    width, height = figure.get_size_inches()
    if width * height * resolution**2 > max_pixels:
        sys.exit(f"the figure is {width:g} x {height:g} inches at {resolution} dpi; at most {max_pixels:,} pixels fit")
    Path(target).parent.mkdir(exist_ok=True)
    figure.savefig(target, dpi=resolution, bbox_inches="tight", metadata=_build_metadata(target))
    Path(target).with_suffix(".json").write_text(
        json.dumps([_describe_panel(axes) for axes in figure.axes][:50]), "utf-8"
    )


def _prepare_fonts(fonts: Path) -> list[Any]:
    """Teach Matplotlib the bundled fonts, CJK behind every other; return the list of figures that the code saves."""
    import logging

    import matplotlib as mpl
    from matplotlib import font_manager
    from matplotlib.figure import Figure

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "yardkit", "pdf.fonttype": 42})
    for path in sorted(fonts.glob("*.[ot]tf")):
        font_manager.fontManager.addfont(path)
    find = font_manager.FontManager._find_fonts_by_props

    def find_with_fallback(self: Any, prop: Any, *args: Any, **kwargs: Any) -> Any:
        prop = prop.copy()
        prop.set_family([*prop.get_family(), "DejaVu Sans", "Droid Sans Fallback"])
        return find(self, prop, *args, **kwargs)

    setattr(font_manager.FontManager, "_find_fonts_by_props", find_with_fallback)  # noqa: B010 - no public hook
    saved: list[Any] = []
    savefig = Figure.savefig

    def savefig_and_remember(self: Any, *args: Any, **kwargs: Any) -> Any:
        saved.append(self)
        return savefig(self, *args, **kwargs)

    setattr(Figure, "savefig", savefig_and_remember)  # noqa: B010 - no public hook
    return saved


def _run(source: str) -> dict[str, Any]:
    """The names that the code defines, and what its ``solution()`` returns under ``_figure``."""
    linecache.cache[CODE_NAME] = (len(source), None, source.splitlines(keepends=True), CODE_NAME)
    names: dict[str, Any] = {"__name__": "__main__"}
    try:
        exec(compile(source, CODE_NAME, "exec"), names)  # noqa: S102 - inside the isolated runner
        if callable(names.get("solution")):
            names["_figure"] = names["solution"]()
    except SystemExit as stop:
        if stop.code not in (None, 0):
            raise
    except BaseException as error:  # noqa: BLE001 - whatever the code does is shown to its author
        formatted_error = traceback.TracebackException.from_exception(error)
        own = [frame for frame in formatted_error.stack if frame.filename == CODE_NAME]
        formatted_error.stack = traceback.StackSummary.from_list(own)
        sys.exit("".join(formatted_error.format()))
    return names


def _find_figure(names: dict[str, Any], saved: list[Any]) -> Any:
    from matplotlib import pyplot as plt
    from matplotlib.figure import Figure

    if "_figure" in names:
        figure = names["_figure"]
        figure = figure[0] if isinstance(figure, tuple) and figure else figure
        figure = getattr(figure, "figure", figure)
        if isinstance(figure, Figure):
            return figure
        if figure is not None:
            sys.exit(f"solution() returned {type(figure).__name__}, no Figure; return the Figure, such as `return fig`")
    if plt.get_fignums():
        return plt.gcf()
    if saved:
        return saved[-1]
    figures = [value for value in names.values() if isinstance(value, Figure)]
    if figures:
        return figures[-1]
    return sys.exit("the code drew nothing; draw with pyplot, or define solution() that returns a Figure")


def _build_metadata(target: str) -> dict[str, None]:
    dated: dict[str, dict[str, None]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    return dated.get(Path(target).suffix, {"Software": None})


def _describe_panel(axes: Any) -> dict[str, Any]:
    legend = axes.get_legend()
    return {
        "title": axes.get_title(),
        "x_label": axes.get_xlabel(),
        "y_label": axes.get_ylabel(),
        "x_range": [float(end) for end in axes.get_xlim()],
        "y_range": [float(end) for end in axes.get_ylim()],
        "artists": {kind: len(getattr(axes, kind)) for kind in ("lines", "patches", "collections", "images")},
        "legend": [entry.get_text() for entry in legend.get_texts()] if legend else [],
    }
