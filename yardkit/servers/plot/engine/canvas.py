"""One figure from its theme to its file: fonts, colours, sizes, saving. Matplotlib only through its object API."""

import textwrap
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from yardkit.servers.plot.engine import fitting
from yardkit.servers.plot.engine.spec import Drawn, DrawnAxis, DrawnSeries, FontStyle, Look
from yardkit.world import Problem, save_atomically
from yardkit.world.fonts import CJK_FAMILY, font_files

FORMATS = ("png", "svg", "pdf")
_LOCK = threading.RLock()
_FONTS: dict[FontStyle, str] = {
    "sans": "DejaVu Sans",
    "serif": "Liberation Serif",
    "mono": "DejaVu Sans Mono",
    "hand": "Comic Neue",
}
PALETTES = {
    # Okabe and Ito, "Color Universal Design" (2008), the yellow darkened to be seen on white.
    "safe": ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#B8A200", "#4D4D4D"],
    # Petroff, "Accessible Color Sequences for Data Visualization" (2021).
    "bright": ["#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59", "#e76300", "#b9ac70", "#717581"],
    "pastel": ["#88CCEE", "#DDCC77", "#CC6677", "#44AA99", "#AA4499", "#999933", "#882255", "#117733"],
    "gray": ["#222222", "#8a8a8a", "#555555", "#b4b4b4", "#3b3b3b", "#707070", "#cfcfcf"],
}


_DARKER, _LIGHTER = 0.55, 0.5
"""How much of a colour stays where it is mixed with black or white."""


def list_colors(palette: str) -> list[str]:
    """The colours of a palette, then each of them darker and lighter, for charts of many series."""
    from matplotlib.colors import to_hex, to_rgb

    colors = PALETTES[palette]
    shades = [(_DARKER, 0.0), (_LIGHTER, 1.0)]
    mixed = [
        to_hex([part * share + goal * (1 - share) for part in to_rgb(color)])
        for share, goal in shades
        for color in colors
    ]
    return [*colors, *mixed]


@contextmanager
def open_canvas(look: Look) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes in the look's theme.

    Matplotlib keeps its settings in one global, so one figure is drawn at a time; drawing is bound to the CPU anyway.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with _LOCK, mpl.rc_context():
        register_fonts()
        mpl.rcParams.update(mpl.rcParamsDefault | _build_settings(look))
        figure = Figure(figsize=(look.width_in, look.height_in), dpi=look.dpi, layout="constrained")
        yield figure, figure.add_subplot()


def register_fonts() -> None:
    """Make the bundled fonts known to Matplotlib, before the system's fonts of the same name."""
    from matplotlib import font_manager

    known = {entry.fname for entry in font_manager.fontManager.ttflist}
    for path in font_files():
        if str(path) not in known:
            font_manager.fontManager.addfont(path)
            entry = font_manager.fontManager.ttflist.pop()
            font_manager.fontManager.ttflist.insert(0, entry)
            if entry.name == CJK_FAMILY:  # has no bold face; without this each bold title logs a warning
                font_manager.fontManager.ttflist.insert(0, replace(entry, weight="bold"))


def _build_settings(look: Look) -> dict[str, Any]:
    from matplotlib.rcsetup import cycler

    ink, paper, faint = ("#e8e8e8", "#1f2430", "#4a5060") if look.theme == "dark" else ("#222222", "white", "#dddddd")
    framed = look.theme == "boxed"
    size = look.font_size_pt
    return {
        "font.family": [_FONTS[look.font], "DejaVu Sans", CJK_FAMILY],
        "font.size": size,
        "axes.titlesize": size * 1.3,
        "axes.titleweight": "bold",
        "axes.titlepad": 12,
        "axes.prop_cycle": cycler(color=list_colors(look.palette)),
        "axes.spines.top": framed,
        "axes.spines.right": framed,
        "axes.spines.left": look.theme != "minimal",
        "axes.grid": look.theme != "boxed" if look.grid is None else look.grid,
        "axes.grid.axis": "both" if look.grid else "y",
        "axes.axisbelow": True,
        "axes.formatter.useoffset": False,
        "axes.unicode_minus": True,
        "grid.color": faint,
        "grid.linewidth": 0.8,
        "legend.frameon": True,
        "legend.framealpha": 0.85,
        "legend.edgecolor": faint,
        "legend.fontsize": size * 0.92,
        "mathtext.fontset": "dejavusans",
        "svg.fonttype": "none",
        "svg.hashsalt": "yardkit",
        "pdf.fonttype": 42,
        "figure.dpi": look.dpi,
        **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor", "legend.facecolor"), paper),
        **dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color", "axes.edgecolor"), ink),
    }


def escape_text(words: str, look: Look) -> str:
    """`words` so that Matplotlib shows them as they are, unless the look asks for mathematics."""
    return words if look.math_text else words.replace("$", r"\$")


def write_words(axes: Any, look: Look) -> None:
    """Title and axis labels, wrapped to the size of the figure."""
    per_inch = 72 / (look.font_size_pt * 0.62)
    title = textwrap.fill(look.title, max(10, int(look.width_in * per_inch / 1.3)))
    axes.set_title(escape_text(title, look))
    axes.set_xlabel(escape_text(textwrap.fill(look.x_label, max(10, int(look.width_in * per_inch * 0.85))), look))
    axes.set_ylabel(upright_words(look.y_label, look))


def upright_words(words: str, look: Look) -> str:
    """The label of a y axis, wrapped to the height of the figure."""
    letters = look.height_in * 72 / (look.font_size_pt * 0.62) * 0.5
    return escape_text(textwrap.fill(words, max(10, int(letters))), look)


def place_legend(axes: Any, look: Look, handles: list[Any] | None = None, title: str = "") -> None:
    """A legend for the named artists of `axes`, beside the chart where it would cover too much of it."""
    if handles is None:
        handles = axes.get_legend_handles_labels()[0]
    if look.legend == "none" or not handles:
        return
    beside = look.legend == "outside" or (look.legend == "auto" and len(handles) > 6)
    where: dict[str, Any] = {"loc": "best" if look.legend == "auto" else look.legend}
    if beside:
        where = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0.0}
    write_legend(axes, look, handles, [str(handle.get_label()) for handle in handles], title=title or None, **where)


def write_legend(axes: Any, look: Look, handles: list[Any], names: list[str], **where: Any) -> None:
    """A legend whose long names are broken into lines, and whose letters are as small as its height needs."""
    size = min(look.font_size_pt * 0.92, look.height_in * 72 * 0.8 / (1.8 * len(names)))
    letters = max(12, int(look.width_in * 72 * 0.35 / (size * 0.55)))
    broken = [textwrap.fill(name, letters) for name in names]
    rows = sum(1.25 * name.count("\n") + 1.8 for name in broken)
    size = min(size, look.height_in * 72 * 0.8 / rows)
    axes.legend(handles, broken, fontsize=max(size, 4.0), **where)


def check_color(color: str | None) -> str | None:
    """`color` if Matplotlib knows it.

    Raises:
        Problem: it does not.
    """
    from matplotlib.colors import is_color_like

    if color is not None and not is_color_like(color):
        raise Problem(
            f"{color!r} is not a valid colour; use a hexadecimal one such as '#0072B2' or a CSS name such as 'red'"
        )
    return color


def ink_on(color: Any) -> str:
    """Black or white, whichever reads better on `color` (ITU-R BT.601 luma)."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(color)
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "white"


def save_figure(figure: Any, path: Path, look: Look) -> list[str]:
    """Write the figure to `path`, in the format of its name, the same bytes for the same figure.

    It is measured before: the answer says what could not be made to fit.

    Raises:
        Problem: the name ends in none of the formats, or the file cannot be written.
    """
    kind = check_format(path)
    metadata = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
    remarks = fitting.fit_figure(figure)
    with save_atomically(path) as draft, warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # told in the remarks
        figure.savefig(draft, format=kind, dpi=look.dpi, metadata=metadata)
    return remarks


def check_format(path: Path) -> str:
    """The format that the name of `path` states.

    Raises:
        Problem: it is none that a chart is saved in.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise Problem(f"{path.name!r} is not a supported chart format; use .png, .svg or .pdf")
    return kind


def describe_figure(
    kind: str, figure: Any, series: list[DrawnSeries], look: Look, remarks: list[str] | None = None
) -> Drawn:
    """What the finished figure shows, read off its own axes."""
    axes = []
    for panel in figure.axes:
        if panel.get_label() == "<colorbar>" or not panel.axison:
            continue
        axes += [_describe_axis(axis) for axis in (panel.xaxis, panel.yaxis) if axis.get_visible()]
    width, height = (round(side * look.dpi) for side in figure.get_size_inches())
    return Drawn(kind, series, axes, [width, height], remarks or [])


def _describe_axis(axis: Any) -> DrawnAxis:
    low, high = (float(end) for end in axis.get_view_interval())
    seen = [
        tick for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()) if fitting.is_within(axis, tick.get_loc())
    ]
    ticks = [
        fitting.read_words(tick.label1.get_text()) for tick in sorted(seen, key=lambda tick: float(tick.get_loc()))
    ]
    words = fitting.read_words(axis.get_label_text().replace("\n", " "))
    return DrawnAxis(words, axis.get_scale(), [low, high], [tick for tick in ticks if tick][:50], _read_dates(axis))


def _read_dates(axis: Any) -> list[str]:
    """The ends of an axis of dates; none for another axis."""
    from matplotlib.dates import DateLocator, num2date

    if not isinstance(axis.get_major_locator(), DateLocator):
        return []
    ends = [num2date(end).replace(tzinfo=None, microsecond=0) for end in axis.get_view_interval()]
    return [end.isoformat(" ").removesuffix(" 00:00:00") for end in ends]
