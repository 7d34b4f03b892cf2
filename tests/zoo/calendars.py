"""Calendar files in the shapes of many programs, and when their events happen by the clock of Vienna."""

from dataclasses import dataclass, field

HEAD = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Zoo//EN\n"
VIENNA = ";TZID=Europe/Vienna:"


@dataclass(frozen=True)
class CalendarCase:
    """A file and its truth.

    Attributes:
        starts: all that happens in March and April 2026, as lists show it.
        titles: of the events, each once.
        ends: of what happens, where they are no matter of course.
        noted: a word of what is said of the file; empty where all of it is read.
        graded: whether the graders' reader reads it, too; it refuses what is no time.
    """

    data: bytes
    starts: list[str]
    titles: list[str] = field(default_factory=lambda: ["Talk"])
    noted: str = ""
    graded: bool = True
    ends: list[str] = field(default_factory=list)


def make_file(*components: str, line_end: str = "\r\n", head: str = HEAD) -> bytes:
    """A calendar of components."""
    return (head + "".join(components) + "END:VCALENDAR\n").replace("\n", line_end).encode()


def make_event(start: str, end: str, more: str = "", *, zone: str = VIENNA, title: str = "Talk") -> str:
    """An event from a start to an end, with further lines."""
    return (
        f"BEGIN:VEVENT\nUID:talk\nDTSTAMP:20260301T000000Z\nDTSTART{zone}{start}\nDTEND{zone}{end}\nSUMMARY:{title}\n"
        f"{more}END:VEVENT\n"
    )


def make_zone(name: str, standard: str, summer: str) -> str:
    """A zone as Outlook describes it: rules since 1601."""
    return (
        f"BEGIN:VTIMEZONE\nTZID:{name}\nBEGIN:STANDARD\nDTSTART:16011028T030000\n"
        f"RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nTZOFFSETFROM:{summer}\nTZOFFSETTO:{standard}\nEND:STANDARD\n"
        "BEGIN:DAYLIGHT\nDTSTART:16010325T020000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\n"
        f"TZOFFSETFROM:{standard}\nTZOFFSETTO:{summer}\nEND:DAYLIGHT\nEND:VTIMEZONE\n"
    )


def make_private(standard: str, summer: str) -> bytes:
    """An event at ten of a zone that only its file knows, under the name that Exchange gives to all of them."""
    zone = "Customized Time Zone"
    return make_file(
        make_zone(zone, standard, summer), make_event("20260317T100000", "20260317T110000", zone=f';TZID="{zone}":')
    )


def _list_starts(*days: int, hour: int = 10) -> list[str]:
    """Starts in March, by summer time from the 29th on."""
    return [f"2026-03-{day:02}T{hour:02}:00:00+0{2 if day >= 29 else 1}:00" for day in days]


_TEN = ("20260317T100000", "20260317T110000")
_DAILY = "RRULE:FREQ=DAILY;COUNT=3\n"
CALENDARS: dict[str, CalendarCase] = {
    "google": CalendarCase(make_file(make_event("20260317T090000Z", "20260317T100000Z", zone=":")), _list_starts(17)),
    "outlook with a zone of windows": CalendarCase(
        make_file(
            make_zone("W. Europe Standard Time", "+0100", "+0200"),
            make_event(*_TEN, zone=";TZID=W. Europe Standard Time:"),
        ),
        _list_starts(17),
    ),
    "zone of windows that is not described": CalendarCase(
        make_file(make_event(*_TEN, zone=";TZID=Eastern Standard Time:")), _list_starts(17, hour=15), graded=False
    ),
    "exchange, private zone in Berlin": CalendarCase(make_private("+0100", "+0200"), _list_starts(17)),
    "exchange, private zone in California": CalendarCase(make_private("-0800", "-0700"), _list_starts(17, hour=19)),
    "exchange, private zone in India": CalendarCase(make_private("+0530", "+0530"), ["2026-03-17T05:30:00+01:00"]),
    "exchange, utc": CalendarCase(
        make_file(make_event(*_TEN, zone=";TZID=tzone://Microsoft/Utc:")), _list_starts(17, hour=11), graded=False
    ),
    "evolution": CalendarCase(
        make_file(make_event(*_TEN, zone=";TZID=/freeassociation.sourceforge.net/Europe/Vienna:")), _list_starts(17)
    ),
    "lotus notes, zone that nobody knows": CalendarCase(
        make_file(make_event(*_TEN, zone=";TZID=Eastern:")), _list_starts(17), noted="'Eastern'", graded=False
    ),
    "offset as a zone": CalendarCase(
        make_file(make_event(*_TEN, zone=";TZID=GMT-0500:")), _list_starts(17, hour=16), graded=False
    ),
    "no zone": CalendarCase(make_file(make_event(*_TEN, zone=":")), _list_starts(17)),
    "apple, skipped time": CalendarCase(
        make_file(make_event(*_TEN, f"{_DAILY}EXDATE{VIENNA}20260318T100000\n")), _list_starts(17, 19)
    ),
    "skipped day of a series of times": CalendarCase(
        make_file(make_event(*_TEN, f"{_DAILY}EXDATE;VALUE=DATE:20260318\n")), _list_starts(17, 19)
    ),
    "skipped time without a zone": CalendarCase(
        make_file(make_event(*_TEN, f"{_DAILY}EXDATE:20260318T100000\n")), _list_starts(17, 19)
    ),
    "extra day": CalendarCase(
        make_file(make_event(*_TEN, f"{_DAILY}RDATE;VALUE=DATE:20260321\n")), _list_starts(17, 18, 19, 21)
    ),
    "skipped midnights of a series of days": CalendarCase(
        make_file(make_event("20260317", "20260318", f"{_DAILY}EXDATE:20260317T230000Z\n", zone=";VALUE=DATE:")),
        ["2026-03-17", "2026-03-19"],
    ),
    "moved date named by its day": CalendarCase(
        make_file(
            make_event(*_TEN, _DAILY),
            make_event("20260318T150000", "20260318T160000", "RECURRENCE-ID;VALUE=DATE:20260318\n", title="Moved"),
        ),
        [*_list_starts(17), *_list_starts(18, hour=15), *_list_starts(19)],
        ["Talk", "Moved"],
    ),
    "moved date without a zone": CalendarCase(
        make_file(
            make_event(*_TEN, _DAILY),
            make_event("20260318T150000", "20260318T160000", "RECURRENCE-ID:20260318T100000\n", title="Moved"),
        ),
        [*_list_starts(17), *_list_starts(18, hour=15), *_list_starts(19)],
        ["Talk", "Moved"],
    ),
    "over the change to summer time": CalendarCase(
        make_file(make_event("20260327T100000", "20260327T110000", "RRULE:FREQ=DAILY;COUNT=4\n")),
        _list_starts(27, 28, 29, 30),
    ),
    "day that ends where it begins": CalendarCase(
        make_file(make_event("20260317", "20260317", zone=";VALUE=DATE:")), ["2026-03-17"]
    ),
    "rule that repeats its start": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=WEEKLY;COUNT=2;BYDAY=TU;BYHOUR=10;BYMINUTE=00;BYSECOND=0\n")),
        _list_starts(17, 24),
    ),
    "rule with blanks": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=WEEKLY; BYDAY=TU, WE; COUNT=2\n")), _list_starts(17, 18), graded=False
    ),
    "two calendars in one": CalendarCase(
        make_file(make_event(*_TEN, _DAILY))
        + make_file(
            make_event("20260318T150000", "20260318T160000", f"RECURRENCE-ID{VIENNA}20260318T100000\n", title="Moved")
        ),
        [*_list_starts(17), *_list_starts(18, hour=15), *_list_starts(19)],
        ["Talk", "Moved"],
    ),
    "rule of a named scale": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:RSCALE=GREGORIAN;FREQ=DAILY;COUNT=2;SKIP=OMIT\n")), _list_starts(17, 18)
    ),
    "folded within a letter": CalendarCase(
        make_file(make_event(*_TEN, title="Grüße")).replace("ü".encode(), b"\xc3\r\n \xbc"), _list_starts(17), ["Grüße"]
    ),
    "windows letters": CalendarCase(
        make_file(make_event(*_TEN, title="Größe")).decode().encode("cp1252"), _list_starts(17), ["Größe"], graded=False
    ),
    "byte order mark, bare line feeds": CalendarCase(
        b"\xef\xbb\xbf" + make_file(make_event(*_TEN), line_end="\n"), _list_starts(17)
    ),
    "carriage returns alone": CalendarCase(make_file(make_event(*_TEN), line_end="\r"), _list_starts(17)),
    "a line that cannot be read": CalendarCase(
        make_file(make_event(*_TEN, "this line has no sign\n")), _list_starts(17), noted="a line of it", graded=False
    ),
    "a stamp and a number that cannot be read": CalendarCase(
        make_file(make_event(*_TEN, "LAST-MODIFIED:yesterday\nSEQUENCE:x\n")), _list_starts(17), noted="LAST-MODIFIED"
    ),
    "two descriptions": CalendarCase(
        make_file(make_event(*_TEN, "DESCRIPTION:one\nDESCRIPTION;LANGUAGE=de:eins\n")), _list_starts(17)
    ),
    "alarm with an odd trigger": CalendarCase(
        make_file(make_event(*_TEN, "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:soon\nEND:VALARM\n")),
        _list_starts(17),
        noted="TRIGGER",
    ),
    "words before the calendar": CalendarCase(
        b"Here it is:\r\n\r\n" + make_file(make_event(*_TEN)), _list_starts(17), graded=False
    ),
    "utc that names a zone besides": CalendarCase(
        make_file(make_event("20260317T090000Z", "20260317T100000Z")), _list_starts(17), graded=False
    ),
    "zone as windows shows it": CalendarCase(
        make_file(
            make_event("20260330T100000", "20260330T110000", zone=';TZID="(UTC+01:00) Amsterdam, Berlin, Vienna":')
        ),
        _list_starts(30),
        graded=False,
    ),
    "american zone as windows shows it": CalendarCase(
        make_file(make_event(*_TEN, zone=';TZID="(UTC-05:00) Eastern Time (US & Canada)":')),
        _list_starts(17, hour=15),
        graded=False,
    ),
    "winter hours of places that nobody knows": CalendarCase(
        make_file(make_event(*_TEN, zone=';TZID="(GMT+01:00) Atlantis":')),
        _list_starts(17),
        noted="Atlantis",
        graded=False,
    ),
    "extra dates with ends": CalendarCase(
        make_file(
            make_event(
                *_TEN, f"{_DAILY}RDATE;VALUE=PERIOD{VIENNA}20260321T100000/20260321T150000,20260322T100000/PT5H\n"
            )
        ),
        _list_starts(17, 18, 19, 21, 22),
    ),
    "moved into the range": CalendarCase(
        make_file(
            make_event("20260114T100000", "20260114T110000", "RRULE:FREQ=DAILY;COUNT=2\n"),
            make_event("20260317T100000", "20260317T110000", f"RECURRENCE-ID{VIENNA}20260115T100000\n"),
        ),
        _list_starts(17),
    ),
    "moved out of the range": CalendarCase(
        make_file(
            make_event(*_TEN, _DAILY),
            make_event("20270318T150000", "20270318T160000", f"RECURRENCE-ID{VIENNA}20260318T100000\n", title="Moved"),
        ),
        _list_starts(17, 19),
    ),
    "last date in utc": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=DAILY;UNTIL=20260319T090000Z\n")), _list_starts(17, 18, 19)
    ),
    "last date just before in utc": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=DAILY;UNTIL=20260319T085959Z\n")), _list_starts(17, 18)
    ),
    "last date as a day": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=DAILY;UNTIL=20260319\n")), _list_starts(17, 18, 19)
    ),
    "last date by the clock": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=DAILY;UNTIL=20260319T100000\n")), _list_starts(17, 18, 19)
    ),
    "last weekday of the month": CalendarCase(
        make_file(make_event("20260331T100000", "20260331T110000", "RRULE:FREQ=MONTHLY;BYDAY=-1TU;COUNT=2\n")),
        ["2026-03-31T10:00:00+02:00", "2026-04-28T10:00:00+02:00"],
    ),
    "last working day of the month": CalendarCase(
        make_file(
            make_event("20260227T100000", "20260227T110000", "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1\n")
        ),
        ["2026-03-31T10:00:00+02:00", "2026-04-30T10:00:00+02:00"],
    ),
    "every second week from sunday on": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;WKST=SU;BYDAY=TU,SU\n")),
        ["2026-03-17T10:00:00+01:00", *_list_starts(29, 31), "2026-04-12T10:00:00+02:00"],
    ),
    "every second week from monday on": CalendarCase(
        make_file(make_event(*_TEN, "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;WKST=MO;BYDAY=TU,SU\n")),
        ["2026-03-17T10:00:00+01:00", "2026-03-22T10:00:00+01:00", *_list_starts(31), "2026-04-05T10:00:00+02:00"],
    ),
    "thirty-first of each month": CalendarCase(
        make_file(make_event("20260131T100000", "20260131T110000", "RRULE:FREQ=MONTHLY;COUNT=3\n")), _list_starts(31)
    ),
    "time that summer skips": CalendarCase(
        make_file(make_event("20260328T023000", "20260328T024500", "RRULE:FREQ=DAILY;COUNT=3\n")),
        ["2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"],
    ),
    "whole day of elsewhere": CalendarCase(
        make_file(make_zone("Pacific", "-0800", "-0700"), make_event("20260317", "20260318", zone=";VALUE=DATE:")),
        ["2026-03-17"],
    ),
    "day that names no kind": CalendarCase(make_file(make_event("20260317", "20260318", zone=":")), ["2026-03-17"]),
    "tasks beside the event": CalendarCase(
        make_file(make_event(*_TEN), "BEGIN:VTODO\nUID:todo\nDTSTAMP:20260301T000000Z\nSUMMARY:Buy milk\nEND:VTODO\n"),
        _list_starts(17),
    ),
    "series in utc with a date in a zone": CalendarCase(
        make_file(
            make_event("20260317T090000Z", "20260317T100000Z", f"{_DAILY}EXDATE{VIENNA}20260318T100000\n", zone=":")
        ),
        _list_starts(17, 19),
    ),
    "skipped dates in one line": CalendarCase(
        make_file(make_event(*_TEN, f"RRULE:FREQ=DAILY;COUNT=4\nEXDATE{VIENNA}20260318T100000,20260319T100000\n")),
        _list_starts(17, 20),
    ),
    "lower case": CalendarCase(
        make_file(make_event(*_TEN, _DAILY)).replace(b"BEGIN:VEVENT", b"begin:vevent").replace(b"DTSTART", b"dtstart"),
        _list_starts(17, 18, 19),
        graded=False,
    ),
    "end by another clock": CalendarCase(
        make_file(make_event("20260317T100000", "20260317T170000", zone=";TZID=America/New_York:")).replace(
            b"DTEND;TZID=America/New_York", b"DTEND;TZID=Europe/Vienna"
        ),
        _list_starts(17, hour=15),
        ends=_list_starts(17, hour=17),
    ),
    "end in utc": CalendarCase(
        make_file(make_event("20260317T100000", "20260317T100000Z", _DAILY)).replace(
            b"DTEND;TZID=Europe/Vienna", b"DTEND"
        ),
        _list_starts(17, 18, 19),
        ends=_list_starts(17, 18, 19, hour=11),
    ),
    "a day of 24 hours": CalendarCase(
        make_file(make_event("20260328T100000", "PT24H")).replace(b"DTEND;TZID=Europe/Vienna", b"DURATION"),
        _list_starts(28),
        ends=_list_starts(29, hour=11),
    ),
    "length in seconds, of android": CalendarCase(
        make_file(make_event("20260317T100000", "P3600S")).replace(b"DTEND;TZID=Europe/Vienna", b"DURATION"),
        _list_starts(17),
        graded=False,
        ends=_list_starts(17, hour=11),
    ),
    "two exceptions for one date": CalendarCase(
        make_file(
            make_event(*_TEN, _DAILY),
            *(
                make_event(
                    f"20260318T{hour}0000", f"20260318T{hour}3000", f"RECURRENCE-ID{VIENNA}20260318T100000\n{more}"
                )
                for hour, more in ((15, "SEQUENCE:2\n"), (14, "SEQUENCE:1\n"))
            ),
        ),
        [*_list_starts(17), *_list_starts(18, hour=15), *_list_starts(19)],
        graded=False,
    ),
    "skipped dates without any": CalendarCase(
        make_file(make_event(*_TEN, f"{_DAILY}EXDATE:\n")), _list_starts(17, 18, 19), graded=False
    ),
    "rule said twice": CalendarCase(make_file(make_event(*_TEN, _DAILY * 2)), _list_starts(17, 18, 19), graded=False),
    "zone of the whole calendar": CalendarCase(
        make_file("X-WR-TIMEZONE:America/New_York\n", make_event(*_TEN, zone=":")),
        _list_starts(17, hour=15),
        graded=False,
    ),
    "nights of eight hours from a change of the clock on": CalendarCase(
        make_file(make_event("20260328T220000", "PT8H", _DAILY)).replace(b"DTEND;TZID=Europe/Vienna", b"DURATION"),
        _list_starts(28, 29, 30, hour=22),
        ends=_list_starts(29, 30, 31, hour=6),
    ),
}
