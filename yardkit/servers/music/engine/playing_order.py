"""The order in which the bars of a score are played: repeats, endings, da capo, dal segno, coda, fine."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from yardkit.servers.music.engine.score import JUMPS, MAX_PASSES, Measure, Part, Sign
from yardkit.servers.music.engine.song import MAX_BARS
from yardkit.world import Problem


@dataclass(frozen=True)
class Stretch:
    """A bar, or a part of it, that is played once. begin, end: in whole notes; None for the end of the bar."""

    index: int
    begin: Fraction = Fraction(0)
    end: Fraction | None = None


@dataclass(frozen=True)
class _Road:
    """What of a bar decides the order. jumps: sorted."""

    duration: Fraction
    repeat_starts: bool
    repeat_times: int
    endings: tuple[int, ...]
    section_ends: bool
    jumps: tuple[Sign, ...]

    def find_places(self, kind: str) -> list[Fraction]:
        return [sign.offset for sign in self.jumps if sign.kind == kind]


def order_bars(parts: Sequence[Part], number: int = 0) -> list[Stretch]:
    """The bars of a part in the order in which they are played.

    Repeats and jumps that another part of as many bars has hold, too: often only the first part has them.

    Raises:
        Problem: that is more than `MAX_BARS`.
    """
    own = parts[number].measures
    others = [part.measures for part in parts if part is not parts[number] and len(part.measures) == len(own)]
    return _Walk([_merge_measures(bars) for bars in zip(own, *others, strict=True)]).play_all()


def describe_jumps(parts: Sequence[Part]) -> list[str]:
    """Which bars are played, where the score has jumps; and which signs lead nowhere."""
    signs = [sign for part in parts for measure in part.measures for sign in measure.signs if sign.kind in JUMPS]
    kinds = {sign.kind for sign in signs}
    names = ", ".join(sorted({sign.text or sign.kind for sign in signs}))
    if not kinds & {"da capo", "dal segno"}:
        return [f"the score has no D.C. or D.S., so these signs change nothing: {names}"] if signs else []
    runs: list[list[int]] = []
    for bar in (stretch.index + 1 for stretch in order_bars(parts)):
        if runs and bar == runs[-1][1] + 1:
            runs[-1][1] = bar
        elif not runs or bar != runs[-1][1]:
            runs.append([bar, bar])
    spans = ", ".join(f"{first}-{last}" if first != last else str(first) for first, last in runs)
    return [f"played in the order of {names}: bars {spans}", *_list_missing_goals(signs)]


def _list_missing_goals(signs: Sequence[Sign]) -> list[str]:
    kinds = {sign.kind for sign in signs}
    goals = " ".join(sign.text.lower() for sign in signs if sign.kind in ("da capo", "dal segno"))
    missing = {
        "a Fine, so it is played to the end": "fine" in goals and "fine" not in kinds,
        "a coda, so it is played to the end": "coda" in goals and "coda" not in kinds,
        "a segno, so D.S. goes to the beginning": "dal segno" in kinds and "segno" not in kinds,
    }
    return [f"the score has no sign of {what}" for what, is_missing in missing.items() if is_missing]


def _merge_measures(bars: Sequence[Measure]) -> _Road:
    first = bars[0]
    jumps = {sign for bar in bars for sign in bar.signs if sign.kind in JUMPS}
    return _Road(
        first.duration,
        any(bar.repeat_starts for bar in bars),
        max(bar.repeat_times for bar in bars),
        next((bar.endings for bar in bars if bar.endings), ()),
        any(bar.section_ends for bar in bars),
        tuple(sorted(jumps, key=lambda sign: (sign.offset, sign.kind))),
    )


class _Walk:
    """Goes through the bars. Each da capo and dal segno is followed once; then repeats are not taken again."""

    def __init__(self, roads: Sequence[_Road]) -> None:
        self.roads = roads
        self.order: list[Stretch] = []
        self._start, self._passes = 0, 1
        self._goal: str | None = None
        self._followed: set[int] = set()
        self._in_coda = False
        codas = sorted({(index, place) for index, road in enumerate(roads) for place in road.find_places("coda")})
        self._coda = codas[-1] if codas else None
        self._has_to_coda = any(road.find_places("to coda") for road in roads)
        self._first_coda = codas[0] if len(codas) > 1 and not self._has_to_coda else None

    def play_all(self) -> list[Stretch]:
        at, begin = 0, Fraction(0)
        while at < len(self.roads):
            at, begin = self._play_bar(at, begin)
        return self.order

    def _play_bar(self, at: int, begin: Fraction) -> tuple[int, Fraction]:
        """Play a bar; which bar is next, and from where."""
        road = self.roads[at]
        if road.repeat_starts and at != self._start:
            self._start, self._passes = at, 1
        if road.endings and self._skips_ending(at):
            return self._find_next_ending(at), Fraction(0)
        leaves = self._find_leaving(at, begin)
        if leaves is not None and leaves[0] < road.duration:
            self._append(at, begin, leaves[0])
            return self._follow(leaves[1], at)
        self._append(at, begin, None)
        if road.repeat_times and self._goal is None and self._passes < self._count_passes(at):
            self._passes += 1
            return self._start, Fraction(0)
        if road.repeat_times:
            self._start, self._passes = at + 1, 1
        if leaves is not None:
            return self._follow(leaves[1], at)
        return at + 1, Fraction(0)

    def _append(self, at: int, begin: Fraction, end: Fraction | None) -> None:
        if end is None or end > begin:
            self.order.append(Stretch(at, begin, end))
        if len(self.order) > MAX_BARS:
            raise Problem(f"with its repeats the music has more than {MAX_BARS:,} bars; use fewer repeats")

    def _find_leaving(self, at: int, begin: Fraction) -> tuple[Fraction, Sign] | None:
        """The first sign of a bar at which the music goes elsewhere now, and its place."""
        road = self.roads[at]
        for sign in road.jumps:
            is_first_coda = sign.kind == "coda" and (at, sign.offset) == self._first_coda
            place = sign.offset if is_first_coda else self._find_place(sign, road)
            if place >= begin and (is_first_coda or sign.kind not in ("coda", "segno")) and self._holds(sign, at):
                return place, sign
        return None

    @staticmethod
    def _find_place(sign: Sign, road: _Road) -> Fraction:
        """Where a sign that ends something holds: one at the beginning of a bar is for all of the bar."""
        return sign.offset if 0 < sign.offset < road.duration else road.duration

    def _holds(self, sign: Sign, at: int) -> bool:
        if sign.kind in ("da capo", "dal segno"):
            return at not in self._followed and self._goal is None
        if self._goal is None:
            return False
        if sign.kind == "fine":
            return "coda" not in self._goal or self._in_coda or self._coda is None
        return not self._in_coda and self._coda is not None and "fine" not in self._goal

    def _follow(self, sign: Sign, at: int) -> tuple[int, Fraction]:
        if sign.kind == "fine":
            return len(self.roads), Fraction(0)
        if sign.kind in ("to coda", "coda"):
            self._in_coda = True
            return self._coda or (len(self.roads), Fraction(0))
        self._followed.add(at)
        self._goal = sign.text.lower()
        if sign.kind == "da capo":
            return 0, Fraction(0)
        segnos = [(index, place) for index, road in enumerate(self.roads) for place in road.find_places("segno")]
        return max((place for place in segnos if place[0] <= at), default=segnos[0] if segnos else (0, Fraction(0)))

    def _skips_ending(self, at: int) -> bool:
        if self._goal is None:
            return self._passes not in self.roads[at].endings
        after = self._find_next_ending(at)
        later = self.roads[after].endings if after < len(self.roads) else ()
        return bool(later) and min(later) > min(self.roads[at].endings)

    def _find_next_ending(self, at: int) -> int:
        """The next bar with an ending of its own, or the one behind the ending that begins at `at`."""
        for index in range(at + 1, len(self.roads)):
            before, road = self.roads[index - 1], self.roads[index]
            if road.endings or road.repeat_starts or before.repeat_times or before.section_ends:
                return index
        return len(self.roads)

    def _count_passes(self, end: int) -> int:
        """How often the section that ends here is played: as often as its endings say, or as its last bar says."""
        numbers = chain.from_iterable(road.endings for road in self.roads[self._start : end + 1])
        following = self.roads[end + 1].endings if end + 1 < len(self.roads) else ()
        return min(MAX_PASSES, max([*numbers, *following, self.roads[end].repeat_times]))
