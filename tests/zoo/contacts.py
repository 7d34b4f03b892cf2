"""Cards in the shapes of many programs, and what is in them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class CardCase:
    """A card and its truth. noted: a word of what is said of it; empty where all of it is read."""

    data: bytes
    name: str = "Eva Lind"
    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    birthday: str = ""
    noted: str = ""


def make_card(*lines: str, version: str = "3.0", uid: str = "eva", line_end: str = "\r\n") -> bytes:
    """A card of lines; without a uid as some programs export them."""
    named = [f"UID:{uid}"] if uid else []
    return line_end.join(["BEGIN:VCARD", f"VERSION:{version}", *named, *lines, "END:VCARD", ""]).encode()


_FN = "FN:Eva Lind"
_PHONES = ["TEL;TYPE=CELL:+43 1", "TEL;TYPE=WORK,VOICE:+43 2"]
CARDS: dict[str, CardCase] = {
    "apple": CardCase(
        make_card(
            _FN, "N:Lind;Eva;;;", "item1.EMAIL;type=INTERNET;type=pref:eva@x.example", "item1.X-ABLabel:_$!<Other>!$_",
            "BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-01", *_PHONES,
        ),
        emails=["eva@x.example"], phones=["+43 1", "+43 2"], birthday="--05-01",
    ),
    "google": CardCase(make_card("FN:Eva Lind", "EMAIL;TYPE=INTERNET:eva@x.example", uid=""), emails=["eva@x.example"]),
    "version 4, numbers as links": CardCase(
        make_card(_FN, 'TEL;VALUE=uri;TYPE="voice,home":tel:+43-1', version="4.0"), phones=["+43-1"]
    ),
    "name in parts alone": CardCase(make_card("N:Lind;Eva;;Dr.;")),
    "company": CardCase(make_card("ORG:Lind and Sons;Sales"), name="Lind and Sons;Sales"),
    "birthday with a time": CardCase(make_card(_FN, "BDAY:1984-05-01T00:00:00Z"), birthday="1984-05-01"),
    "birthday without signs": CardCase(make_card(_FN, "BDAY:19840501"), birthday="1984-05-01"),
    "birthday in words": CardCase(make_card(_FN, "BDAY;VALUE=text:circa 1800"), birthday="circa 1800"),
    "year of birth alone": CardCase(make_card(_FN, "BDAY:1984"), birthday="1984"),
    "windows letters": CardCase(make_card("FN:Jörg Grün").decode().encode("cp1252"), name="Jörg Grün"),
    "folded within a letter": CardCase(
        make_card("FN:Jörg").replace("ö".encode(), b"\xc3\r\n \xb6"), name="Jörg"
    ),
    "quoted printable": CardCase(
        make_card("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg"), name="Jörg"
    ),
    "birthday without a year": CardCase(make_card(_FN, "BDAY:--0415", version="4.0"), birthday="--04-15"),
    "grouped by labels": CardCase(
        make_card(_FN, "item1.TEL:+43 1", "item1.X-ABLabel:Boat", "item2.URL:https://x.example"), phones=["+43 1"]
    ),
    "address as a link": CardCase(make_card(_FN, "EMAIL:mailto:eva@x.example"), emails=["eva@x.example"]),
    "letters of rfc 6868": CardCase(
        make_card(_FN, 'TEL;TYPE="work,voice";X-N=^nline:+43 1', version="4.0"), phones=["+43 1"]
    ),
    "bare line feeds": CardCase(make_card(_FN, line_end="\n")),
    "a line that cannot be read": CardCase(
        make_card(_FN, "no sign in it", *_PHONES), phones=["+43 1", "+43 2"], noted="no sign"
    ),
}  # fmt: skip
