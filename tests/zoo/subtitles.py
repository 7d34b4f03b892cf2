"""Subtitle files as programs and people write them, made by code, each with what it says."""

from dataclasses import dataclass

FPS = 25
"""Of the film that goes with those that count frames."""


@dataclass(frozen=True)
class SubtitleSample:
    """A file of the zoo.

    Attributes:
        name: of the file.
        data: its bytes.
        cues: beginning, end and text of each, by time.
        warning: words of the answer of whoever uses it.
    """

    name: str
    data: bytes
    cues: tuple[tuple[float, float, str], ...]
    warning: str = ""


_FRENCH = "Où êtes-vous, Señor ?\nÇa coûte 5 €"
_RUSSIAN = "Встреча завтра в десять часов.\nНе опаздывайте, пожалуйста."  # noqa: RUF001
_JAPANESE = "明日の会議は十時からです。\n遅れないでください。"


def _write_srt(*texts: str) -> str:
    return "\n".join(
        f"{number}\n00:00:0{number},250 --> 00:00:0{number},750\n{text}\n" for number, text in enumerate(texts, 1)
    )


def _two_cues(first: str, second: str) -> tuple[tuple[float, float, str], ...]:
    return (1.25, 1.75, first), (2.25, 2.75, second)


_GREETING = _two_cues("Good morning", "Bye")
SUBTITLES = (
    SubtitleSample(
        "youtube.sbv",
        b"0:00:01.250,0:00:01.750\nGood[br]morning\n\n0:00:02.250,0:00:02.750\nBye\n",
        _two_cues("Good\nmorning", "Bye"),
    ),
    SubtitleSample("plain.srt", _write_srt("Good morning", "Bye").encode(), _GREETING),
    SubtitleSample(
        "windows.srt",
        _write_srt(_FRENCH, "Bye").replace("\n", "\r\n").encode("cp1252"),
        _two_cues(_FRENCH, "Bye"),
        "cp1252",
    ),
    SubtitleSample(
        "russian.srt",
        _write_srt(_RUSSIAN, "Да, конечно.").encode("cp1251"),
        _two_cues(_RUSSIAN, "Да, конечно."),
        "cp1251",
    ),
    SubtitleSample(
        "japanese.srt",
        _write_srt(_JAPANESE, "はい、わかりました。").encode("cp932"),
        _two_cues(_JAPANESE, "はい、わかりました。"),
        "shift_jis",
    ),
    SubtitleSample(
        "notepad.srt", _write_srt(_FRENCH, "Bye").replace("\n", "\r\n").encode("utf-16"), _two_cues(_FRENCH, "Bye")
    ),
    SubtitleSample("marked.srt", _write_srt(_FRENCH, "Bye").encode("utf-8-sig"), _two_cues(_FRENCH, "Bye")),
    SubtitleSample("old-mac.srt", _write_srt("Good morning", "Bye").replace("\n", "\r").encode(), _GREETING),
    SubtitleSample(
        "by-hand.srt",
        b'0:0:1.25 -> 00:00:01.75\n<font color="#ff0000">Good</font> <i>morning</i>\n'
        b"7\n00:00:02,250 --> 00:00:02,750 X1:100 X2:200 Y1:1 Y2:2\n{\\an8}Bye\n\n"
        b"I <3 you &amp; me, R&D: 5 < 6 > 2\n\n",
        _two_cues("Good morning", "Bye\nI <3 you & me, R&D: 5 < 6 > 2"),
    ),
    SubtitleSample(
        "unsorted.srt",
        b"2\n00:00:02,250 --> 00:00:02,750\nBye\n\n1\n00:00:01,250 --> 00:00:01,750\nGood morning\n\n"
        b"3\n00:00:03,500 --> 00:00:03,000\nBackwards\n",
        _GREETING,
        "1 that end before they begin",
    ),
    SubtitleSample(
        "two-speakers.srt",
        b"1\n00:00:01,250 --> 00:00:02,750\nGood morning\n\n2\n00:00:01,500 --> 00:00:02,000\nBye\n",
        ((1.25, 2.75, "Good morning"), (1.5, 2.0, "Bye")),
    ),
    SubtitleSample(
        "styled.vtt",
        b"WEBVTT - Made by code\nKind: captions\n\nSTYLE\n::cue { color: lime }\n\n"
        b"NOTE 00:00:09.000 is no cue\n\nintro\n"
        b"00:01.250 --> 00:01.750 line:0 align:start\n<v Ann><c.loud>Good</c> <00:00:01.500>morning</v>\n\n"
        b"00:00:02.250 --> 00:00:02.750\nBye\n",
        _GREETING,
    ),
    SubtitleSample(
        "anime.ass",
        b"[Script Info]\nScriptType: v4.00+\n\n"
        b"[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n"
        b"[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        b"Dialogue: 0,0:00:01.25,0:00:01.75,Default,,0,0,0,,{\\b1}Good{\\b0} morning\n"
        b"Comment: 0,0:00:01.25,0:00:01.75,Default,,0,0,0,,Not this\n"
        b"Dialogue: 0,0:00:02.25,0:00:02.75,Default,,0,0,0,,Bye\\NNow, then\n"
        b"Dialogue: 0,0:00:03.25,0:00:03.75,Default,,0,0,0,,{\\p1}m 0 0 l 10 0 10 10{\\p0}\n",
        _two_cues("Good morning", "Bye\nNow, then"),
    ),
    SubtitleSample(
        "frames.sub",
        b"{31}{44}Good morning\n{56}{69}Bye|Now\n",
        ((1.24, 1.76, "Good morning"), (2.24, 2.76, "Bye\nNow")),
    ),
    SubtitleSample(
        "windows.smi",
        b"<SAMI><HEAD></HEAD><BODY>\n"
        b"<SYNC Start=1250><P Class=ENUSCC>Good morning\n<SYNC Start=1750><P Class=ENUSCC>&nbsp;\n"
        b"<SYNC Start=2250><P Class=ENUSCC>Bye\n<SYNC Start=2750><P Class=ENUSCC>&nbsp;\n</BODY></SAMI>\n",
        _GREETING,
    ),
    SubtitleSample(
        "lyrics-early.lrc",
        b"[offset:+500]\n[00:01.75]Good morning\n[00:02.25]\n[00:02.75]Bye\n",
        ((1.25, 1.75, "Good morning"), (2.25, 6.25, "Bye")),
    ),
    SubtitleSample(
        "lyrics.lrc", b"[ti:Song]\n[00:01.25]Good morning\n[00:01.75]\n[00:02.25]Bye\n[00:02.75]\n", _GREETING
    ),
)
BY_NAME = {sample.name: sample for sample in SUBTITLES}
