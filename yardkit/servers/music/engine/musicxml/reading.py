"""MusicXML read into a score. What has no place there is counted in `Score.left_out`."""

from collections import Counter
from xml.etree.ElementTree import Element, ParseError, XMLParser, fromstring, tostring

from yardkit.servers.music.engine.musicxml.bars import PartReader, Player
from yardkit.servers.music.engine.score import Event, Measure, Score, fill_voices
from yardkit.servers.music.engine.song import MAX_BARS, MAX_TRACKS
from yardkit.world import Problem

_DRUM_CHANNEL = "10"
_LEFT_OUT_HEADINGS = ("lyricist", "arranger", "translator", "poet")


def read_musicxml(text: str) -> Score:
    """The score of a MusicXML document.

    Raises:
        Problem: it has no parts, no notes, or more than the limits allow.
    """
    root = _parse_score(text)
    left_out = Counter[str]()
    score = Score(_read_title(root), _read_composer(root, left_out), left_out=left_out)
    players = _read_players(root)
    for part in root.findall("part"):
        if len(part) > MAX_BARS:
            raise Problem(f"the score has {len(part):,} bars; the limit is {MAX_BARS:,}. Split it")
        reader = PartReader(players.get(part.get("id", ""), Player()), left_out)
        score.parts += reader.read_part(part)
    if not any(event.pitches for part in score.parts for bar in part.measures for v in bar.voices for event in v):
        raise Problem("the MusicXML has no notes")
    if len(score.parts) > MAX_TRACKS:
        raise Problem(f"the score has {len(score.parts)} staves; the limit is {MAX_TRACKS}")
    _align_bars(score)
    score.left_out = +left_out
    return score


def sort_by_part(text: str) -> str:
    """MusicXML that goes bar by bar as MusicXML that goes part by part, which verovio reads."""
    root = _parse_score(text)
    root.tag = "score-partwise"
    return tostring(root, encoding="unicode")


def _parse_score(text: str) -> Element:
    try:
        # Text with entities of its own is refused before; expat loads nothing from elsewhere.
        root = fromstring(text.encode(), parser=XMLParser(encoding="utf-8"))  # noqa: S314
    except ParseError as error:
        raise Problem(f"the MusicXML is not well-formed ({error})") from error
    root = _strip_names(root)
    return _sort_by_part(root) if root.tag == "score-timewise" else root


def _strip_names(root: Element) -> Element:
    """Elements without a namespace."""
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


def _sort_by_part(root: Element) -> Element:
    """A score that goes bar by bar as one that goes part by part."""
    parts: dict[str, Element] = {}
    for measure in root.findall("measure"):
        for part in measure.findall("part"):
            name = part.get("id", "")
            bar = Element("measure", measure.attrib)
            bar.extend(list(part))
            parts.setdefault(name, Element("part", id=name)).append(bar)
        root.remove(measure)
    root.extend(parts.values())
    return root


def _read_title(root: Element) -> str:
    texts = (root.findtext("work/work-title"), root.findtext("movement-title"))
    return next((" ".join(text.split())[:200] for text in texts if text and text.strip()), "")


def _read_composer(root: Element, left_out: Counter[str]) -> str:
    creators = root.findall("identification/creator")
    for creator in creators:
        if creator.get("type") in _LEFT_OUT_HEADINGS:
            left_out[f"{creator.get('type')}s"] += 1
    left_out["rights"] += len(root.findall("identification/rights"))
    names = (creator.text for creator in creators if creator.get("type", "composer") == "composer")
    return next((" ".join(name.split())[:200] for name in names if name), "")


def _read_players(root: Element) -> dict[str, Player]:
    """The players by the identifiers of their parts."""
    players = {}
    for entry in root.findall("part-list/score-part"):
        player = Player(" ".join((entry.findtext("part-name") or "").split())[:60])
        programs = list[int]()
        for midi in entry.findall("midi-instrument"):
            programs += _read_numbers(midi.findtext("midi-program"), 1, 128)
            for key in _read_numbers(midi.findtext("midi-unpitched"), 1, 128):
                player.drum_keys[midi.get("id", "")] = key - 1
            player.is_drums = player.is_drums or (midi.findtext("midi-channel") or "").strip() == _DRUM_CHANNEL
        player.program = (programs or [1])[0] - 1
        players[entry.get("id", "")] = player
    return players


def _read_numbers(text: str | None, lowest: int, highest: int) -> list[int]:
    """The number in a text, if it is one within limits."""
    bare = (text or "").strip()
    return [int(bare)] if bare.isdecimal() and len(bare) < 6 and lowest <= int(bare) <= highest else []


def _align_bars(score: Score) -> None:
    """Make the bars of all parts equally long, and bars without music as long as their metre says."""
    count = max(len(part.measures) for part in score.parts)
    for part in score.parts:
        while len(part.measures) < count:
            last = part.measures[-1] if part.measures else Measure((4, 4), score.parts[0].measures[0].key)
            part.measures.append(Measure(last.meter, last.key))
    for bars in zip(*(part.measures for part in score.parts), strict=True):
        if not any(bar.duration for bar in bars):
            bars[0].voices = [[Event(bars[0].full)]]
        fill_voices(bars)
        tempos = sorted({tempo for bar in bars for tempo in bar.tempos})
        for bar in bars:
            bar.tempos = tempos if bar is bars[0] else []
