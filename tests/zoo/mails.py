"""Mails in the shapes of many programs, and what is in them."""

import base64
import binascii
import quopri
from dataclasses import dataclass, field

HEADS = {
    "From": "Bob Hill <bob@x.example>",
    "To": "Ada Berg <ada@berg.example>",
    "Subject": "Case",
    "Date": "Tue, 10 Mar 2026 09:00:00 +0000",
    "MIME-Version": "1.0",
}
WORDS = "Grüße aus Köln, 5 €"
PDF, PNG, SIGNATURE = b"%PDF-1.7 the invoice", b"\x89PNG the picture", b"the signature"
ICS = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nVERSION:2.0\r\nPRODID:-//T//T\r\nBEGIN:VEVENT\r\nUID:talk\r\n" + (
    b"DTSTAMP:20260301T000000Z\r\nDTSTART:20260320T090000Z\r\nDTEND:20260320T100000Z\r\nSUMMARY:Talk\r\n"
    b"ORGANIZER:mailto:bob@x.example\r\nATTENDEE:mailto:ada@berg.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
INNER = b"From: Zoe <zoe@y.example>\r\nTo: bob@x.example\r\nSubject: Inner\r\nMIME-Version: 1.0\r\n" + (
    b"Content-Type: text/plain\r\n\r\ninner words\r\n"
)
MAPS = b"the maps of Outlook"


@dataclass(frozen=True)
class MailCase:
    """A mail and its truth.

    Attributes:
        text: words that its text holds, in one line.
        files: name and content of each attachment, in order; an empty name stands for one that is made.
        sender, subject: as they are shown.
        replies: to whom an answer to all goes.
        noted: a word of what is noted as unread; empty for nothing.
        own_files: how many of the files are its own, not those of an attached mail; None for all.
    """

    raw: bytes
    text: str
    files: list[tuple[str, bytes]] = field(default_factory=list)
    sender: str = "Bob Hill <bob@x.example>"
    subject: str = "Case"
    replies: tuple[str, ...] = ("bob@x.example",)
    noted: str = ""
    own_files: int | None = None


def make_mail(body: bytes, **heads: str | bytes) -> bytes:
    """A whole mail; `body` begins with its own Content-Type."""
    all_heads = {**HEADS, **{name.replace("_", "-"): value for name, value in heads.items()}}
    lines = [
        name.encode() + b": " + (value if isinstance(value, bytes) else value.encode())
        for name, value in all_heads.items()
        if value
    ]
    return (b"\n".join(lines) + b"\n" + body).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def make_text(text: str, kind: str = "text/plain", charset: str = "utf-8", **options: str) -> bytes:
    """A part that is text, 8 bit; options are further parameters of its type."""
    more = "".join(f"; {name}={value}" for name, value in options.items())
    return f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: 8bit\n\n".encode() + text.encode(
        charset
    )


def make_file(kind: str, name: str, data: bytes, how: str = "attachment", more: str = "") -> bytes:
    """A part that is a file, in base64."""
    named = f'; filename="{name}"' if name else ""
    disposition = f"Content-Disposition: {how}{named}\n" if how else ""
    head = f"Content-Type: {kind}\n{disposition}Content-Transfer-Encoding: base64\n{more}\n"
    return head.encode() + base64.encodebytes(data).rstrip()


def make_multipart(kind: str, *parts: bytes, more: str = "") -> bytes:
    """Parts in one; the boundary depends on what it holds."""
    mark = f"=_{binascii.crc32(b''.join(parts)):08x}_{len(parts)}"
    body = b"".join(b"--" + mark.encode() + b"\n" + part + b"\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{mark}"{more}\n\n'.encode() + body + f"--{mark}--\n".encode()


TEXT, PAGE = make_text("plain words\n"), make_text("<p>html words</p>\n", "text/html")
INVOICE = make_file("application/pdf", "inv.pdf", PDF)
CALENDAR = make_file("text/calendar; charset=utf-8; method=REQUEST", "", ICS, how="")
ATTACHED_MAIL = b"Content-Type: message/rfc822\nContent-Disposition: attachment\n\n" + INNER
FLOWED = "A paragraph that goes \non in the next line.\n> quoted and \n> flowed\n-- \nBob\n"
UUENCODED = b"begin 644 notes.txt\n" + binascii.b2a_uu(b"the notes") + b"`\nend\n"
_SPLIT = base64.b64encode(WORDS.encode()[:3]).decode(), base64.b64encode(WORDS.encode()[3:]).decode()


def _make_bounce() -> bytes:
    status = b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n" + (
        b"Final-Recipient: rfc822; nobody@x.example\nAction: failed\nStatus: 5.1.1\n"
    )
    original = b"Content-Type: text/rfc822-headers\n\nSubject: Hello\nTo: nobody@x.example\n"
    return make_multipart(
        "report", make_text("It came back.\n"), status, original, more="; report-type=delivery-status"
    )


def _make_nested(depth: int) -> bytes:
    part = TEXT
    for number in range(depth):
        part = f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}\n'.encode() + part + b"\n"
        part += f"--b{number}--\n".encode()
    return part


def _make_coded(coded: bytes, encoding: str = "base64") -> bytes:
    """A text in a transfer encoding, as programs on the way left it."""
    return f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n".encode() + coded


_INV = ("inv.pdf", PDF)
_PLAN = make_file("text/plain", "plan.txt", b"the plan")
_INNER_WITH_FILE = make_mail(
    make_multipart("mixed", make_text("inner words\n"), INVOICE),
    From="Zoe <zoe@y.example>",
    Subject="Inner",
    To="",
    Date="",
)
_ATTACHED_WITH_FILE = b"Content-Type: message/rfc822\n\n" + _INNER_WITH_FILE
MAILS: dict[str, MailCase] = {
    "plain": MailCase(make_mail(make_text(WORDS)), WORDS),
    "gmail": MailCase(make_mail(make_multipart("alternative", TEXT, PAGE)), "plain words"),
    "gmail with a file": MailCase(
        make_mail(make_multipart("mixed", make_multipart("alternative", TEXT, PAGE), INVOICE)),
        "plain words",
        [_INV],
    ),
    "exchange invitation": MailCase(
        make_mail(make_multipart("alternative", TEXT, PAGE, CALENDAR)), "plain words", [("", ICS)]
    ),
    "calendar alone": MailCase(make_mail(CALENDAR), "SUMMARY:Talk", [("", ICS)]),
    "google invitation": MailCase(
        make_mail(
            make_multipart(
                "mixed",
                make_multipart("alternative", TEXT, PAGE, CALENDAR),
                make_file("application/ics", "invite.ics", ICS),
            )
        ),
        "plain words",
        [("", ICS), ("invite.ics", ICS)],
    ),
    "apple mail": MailCase(
        make_mail(make_multipart("alternative", TEXT, make_multipart("mixed", PAGE, INVOICE, PAGE))),
        "plain words",
        [_INV],
    ),
    "apple mail without html": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_file("application/pdf", "inv.pdf", PDF, "inline"), TEXT)),
        "plain words plain words",
        [_INV],
    ),
    "newsletter with pictures": MailCase(
        make_mail(
            make_multipart("related", PAGE, make_file("image/png", "logo.png", PNG, "inline", "Content-ID: <logo@x>\n"))
        ),
        "html words",
        [("logo.png", PNG)],
    ),
    "list footer": MailCase(
        make_mail(
            make_multipart("mixed", make_multipart("mixed", TEXT, INVOICE), make_text("-- \nfooter of the list\n"))
        ),
        "plain words -- footer of the list",
        [_INV],
    ),
    "smime signed": MailCase(
        make_mail(
            make_multipart(
                "signed",
                make_multipart("mixed", TEXT, INVOICE),
                make_file("application/pkcs7-signature; name=smime.p7s", "smime.p7s", SIGNATURE),
                more='; protocol="application/pkcs7-signature"',
            )
        ),
        "plain words",
        [_INV, ("smime.p7s", SIGNATURE)],
    ),
    "smime encrypted": MailCase(
        make_mail(make_file("application/pkcs7-mime; smime-type=enveloped-data", "smime.p7m", PDF)),
        "",
        [("smime.p7m", PDF)],
        noted="encrypted",
    ),
    "pgp signed": MailCase(
        make_mail(make_multipart("signed", TEXT, make_file("application/pgp-signature", "", SIGNATURE, how=""))),
        "plain words",
        [("", SIGNATURE)],
    ),
    "pgp encrypted": MailCase(
        make_mail(
            make_multipart(
                "encrypted",
                make_file("application/pgp-encrypted", "", b"Version: 1", how=""),
                make_file("application/octet-stream", "encrypted.asc", PDF, "inline"),
            )
        ),
        "",
        [("", b"Version: 1"), ("encrypted.asc", PDF)],
        noted="encrypted",
    ),
    "outlook tnef": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_file("application/ms-tnef", "winmail.dat", MAPS))),
        "plain words",
        [("winmail.dat", MAPS)],
        noted="TNEF",
    ),
    "bounce": MailCase(
        make_mail(_make_bounce()),
        "It came back.",
        [
            (
                "",
                b"Reporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; nobody@x.example\r\n"
                b"Action: failed\r\nStatus: 5.1.1\r\n",
            ),
            ("", b"Subject: Hello\r\nTo: nobody@x.example\r\n"),
        ],
    ),
    "format flowed": MailCase(
        make_mail(make_text(FLOWED, format="flowed")),
        "A paragraph that goes on in the next line. > quoted and flowed -- Bob",
    ),
    "format flowed without spaces": MailCase(
        make_mail(make_text("Donaudampf \nschiff\n", format="flowed", delsp="yes")), "Donaudampfschiff"
    ),
    "blank plain part": MailCase(
        make_mail(make_multipart("alternative", make_text("\u00a0\n \n"), PAGE)), "html words"
    ),
    "html without charset": MailCase(
        make_mail(b'Content-Type: text/html\n\n<meta charset="windows-1252"><p>' + WORDS.encode("cp1252") + b"</p>\n"),
        WORDS,
    ),
    "8 bit without charset": MailCase(make_mail(b"Content-Type: text/plain\n\n" + WORDS.encode("cp1252")), WORDS),
    "utf-8 named ascii": MailCase(make_mail(b"Content-Type: text/plain; charset=us-ascii\n\n" + WORDS.encode()), WORDS),
    "no content type": MailCase(make_mail(b"\n" + WORDS.encode()), WORDS),
    "quoted printable": MailCase(
        make_mail(
            b"Content-Type: text/plain; charset=iso-8859-15\nContent-Transfer-Encoding: Quoted-Printable \n\n"
            + quopri.encodestring(WORDS.encode("iso-8859-15"))
        ),
        WORDS,
    ),
    "japanese": MailCase(make_mail(make_text("こんにちは", charset="iso-2022-jp")), "こんにちは"),
    "chinese": MailCase(make_mail(b"Content-Type: text/plain; charset=gb2312\n\n" + "朱镕基".encode("gbk")), "朱镕基"),
    "uuencoded": MailCase(
        make_mail(b"Content-Type: text/plain\n\nsee below\n" + UUENCODED),
        "see below [attachment: notes.txt]",
        [("notes.txt", b"the notes")],
    ),
    "attached mail": MailCase(make_mail(make_multipart("mixed", TEXT, ATTACHED_MAIL)), "plain words", [("", INNER)]),
    "digest": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_multipart("digest", b"\n" + INNER, b"\n" + INNER))),
        "plain words",
        [("", INNER), ("", INNER)],
    ),
    "name in RFC 2231": MailCase(
        make_mail(
            make_multipart(
                "mixed",
                TEXT,
                b"Content-Type: application/pdf\nContent-Disposition: attachment; filename*0*=utf-8''Gr%C3%BC;\n"
                b' filename*1*=%C3%9Fe; filename*2=".pdf"\n\n' + PDF,
            )
        ),
        "plain words",
        [("Grüße.pdf", PDF)],
    ),
    "name in RFC 2047": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_file("application/pdf", "=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?=", PDF))),
        "plain words",
        [("Grüße.pdf", PDF)],
    ),
    "name as bytes": MailCase(
        make_mail(
            make_multipart(
                "mixed",
                TEXT,
                b'Content-Type: application/pdf; name="Gr\xfc\xdfe.pdf"\nContent-Disposition: attachment\n\n' + PDF,
            )
        ),
        "plain words",
        [("Grüße.pdf", PDF)],
    ),
    "long name": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_file("application/pdf", "a" * 216 + ".pdf", PDF))),
        "plain words",
        [("a" * 196 + ".pdf", PDF)],
    ),
    "name that leads elsewhere": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_file("application/pdf", "../a\u202efdp.exe", PDF))),
        "plain words",
        [(".._a_fdp.exe", PDF)],
    ),
    "scanner": MailCase(make_mail(INVOICE), "", [_INV]),
    "text file alone": MailCase(
        make_mail(b'Content-Type: text/plain\nContent-Disposition: attachment; filename="a.txt"\n\nlines'),
        "",
        [("a.txt", b"lines")],
    ),
    "subject split in a letter": MailCase(
        make_mail(TEXT, Subject=f"=?utf-8?B?{_SPLIT[0]}?=\n =?utf-8?B?{_SPLIT[1]}?="), "plain words", subject=WORDS
    ),
    "subject as bytes": MailCase(make_mail(TEXT, Subject=WORDS.encode("cp1252")), "plain words", subject=WORDS),
    "names with commas": MailCase(
        make_mail(
            TEXT,
            From='"Hill, Bob" <bob@x.example>',
            To='"Berg, Ada" <ada@berg.example>, =?utf-8?Q?M=C3=BCller=2C_Anna?= <anna@x.example>',
            Cc="Lind, Eva <eva@x.example>; undisclosed-recipients:;",
        ),
        "plain words",
        sender='"Hill, Bob" <bob@x.example>',
        replies=("bob@x.example", "anna@x.example", "eva@x.example"),
    ),
    "ticket system": MailCase(
        make_mail(TEXT, From="[JIRA] Bob @ Work <jira@x.example>"),
        "plain words",
        sender='"[JIRA] Bob @ Work" <jira@x.example>',
        replies=("jira@x.example",),
    ),
    "name in a comment": MailCase(
        make_mail(TEXT, From="bob@x.example (Bob Hill)"), "plain words", sender="Bob Hill <bob@x.example>"
    ),
    "mailing list with Reply-To": MailCase(
        make_mail(TEXT, Reply_To="The list <list@x.example>"), "plain words", replies=("list@x.example",)
    ),
    "missing boundary": MailCase(make_mail(b"Content-Type: multipart/mixed\n\nplain words"), "plain words"),
    "end cut off": MailCase(
        make_mail(b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n' + TEXT + b"\n--b\n" + INVOICE),
        "plain words",
        [_INV],
    ),
    "parts in parts": MailCase(make_mail(_make_nested(30)), "plain words"),
    "apple double": MailCase(
        make_mail(
            make_multipart(
                "mixed",
                TEXT,
                make_multipart(
                    "appledouble",
                    make_file("application/applefile", "logo.png", b"forks"),
                    make_file("image/png", "logo.png", PNG),
                ),
            )
        ),
        "plain words",
        [("logo.png", b"forks"), ("logo.png", PNG)],
    ),
    "base64 with the footer of a list": MailCase(
        make_mail(_make_coded(base64.encodebytes(WORDS.encode() + b"!") + b"__________\nthe footer\n")),
        WORDS + "! __________ the footer",
    ),
    "base64 in two pieces": MailCase(
        make_mail(_make_coded(base64.encodebytes(b"Hello A") + base64.encodebytes(b"da"))), "Hello Ada"
    ),
    "base64 that is none": MailCase(
        make_mail(_make_coded(b"Hello Ada, nobody encoded this.\n")), "nobody encoded this."
    ),
    "base64 with junk": MailCase(make_mail(_make_coded(b"!" + base64.encodebytes(WORDS.encode()) + b" \x07")), WORDS),
    "soft breaks with blanks": MailCase(
        make_mail(_make_coded(b"Gr=C3=BC=C3=9Fe aus=  \n K=c3=b6ln =ZZ", "quoted-printable")), "Grüße aus Köln =ZZ"
    ),
    "hidden preheader": MailCase(
        make_mail(
            make_text(
                "<style>.pre, .x { display: none }</style><div class=pre>secret<div>more</div></div>"
                "<p style='display:none'>secret<p>seen<span hidden>secret</span> <b class=x>secret</b>words",
                "text/html",
            )
        ),
        "seen words",
        noted="28 characters that the sender hides",
    ),
    "html as it is seen": MailCase(
        make_mail(
            make_text(
                "<ol><li>one<li>two</ol><ul><li><p>three</p></ul><s>20</s> 10<sup>2</sup> the 4<sup>th</sup>"
                "<img src=a alt='Sale'><a href='https://evil.example/?bank.example'>bank.example</a>",
                "text/html",
            )
        ),
        "1. one 2. two - three ~~20~~ 10^2 the 4th[Sale]bank.example (https://evil.example/?bank.example)",
    ),
    "plain part that only refers to the html": MailCase(
        make_mail(
            make_multipart(
                "alternative",
                make_text("Please use an HTML reader."),
                make_text(f"<p>{'Wednesday at nine. ' * 9}", "text/html"),
            )
        ),
        "Wednesday at nine.",
    ),
    "root named without brackets": MailCase(
        make_mail(make_multipart("related", _PLAN, b"Content-ID: <root@x>\n" + PAGE, more='; start="root@x"')),
        "html words",
        [("plan.txt", b"the plan")],
    ),
    "picture before its page": MailCase(
        make_mail(make_multipart("related", make_file("image/png", "logo.png", PNG, "inline"), PAGE)),
        "html words",
        [("logo.png", PNG)],
    ),
    "attached mail with a file": MailCase(
        make_mail(make_multipart("mixed", TEXT, _ATTACHED_WITH_FILE)),
        "plain words [attached message 1] From: Zoe <zoe@y.example> Subject: Inner inner words",
        [("", _INNER_WITH_FILE), _INV],
        own_files=1,
    ),
    "nothing but an attached mail": MailCase(
        make_mail(ATTACHED_MAIL), "[attached message 1] From: Zoe <zoe@y.example>", [("", INNER)]
    ),
    "saved mail as a file": MailCase(
        make_mail(make_multipart("mixed", TEXT, make_file("application/octet-stream", "old.eml", INNER))),
        "plain words [attached message 1] From: Zoe <zoe@y.example>",
        [("old.eml", INNER)],
    ),
    "piece of a message": MailCase(
        make_mail(b'Content-Type: message/partial; id="x@y"; number=2; total=3\n\nSubject: no\n\nwords'),
        "",
        [("", b"Subject: no\r\n\r\nwords")],
        noted="in pieces",
    ),
    "smime in a list": MailCase(
        make_mail(make_multipart("mixed", make_file("application/pkcs7-mime", "smime.p7m", PDF), TEXT)),
        "plain words",
        [("smime.p7m", PDF)],
        noted="S/MIME",
    ),
    "smime as bytes": MailCase(
        make_mail(make_file("application/octet-stream", "smime.p7m", PDF)), "", [("smime.p7m", PDF)], noted="S/MIME"
    ),
    "pgp in the text": MailCase(
        make_mail(make_text("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n")),
        "BEGIN PGP MESSAGE",
        noted="PGP",
    ),
    "date beyond all numbers": MailCase(
        make_mail(TEXT, Date="Tue, 10 Mar 99999999999999999999 09:00:00 +0000"), "plain words", noted="date"
    ),
    "day that no month has": MailCase(
        make_mail(TEXT, Date="Tue, 31 Feb 2026 09:00:00 +0000"), "plain words", noted="date"
    ),
    "zone that nobody knows": MailCase(
        make_mail(TEXT, Date="Tue, 10 Mar 2026 09:00:00 IST"), "plain words", noted="'IST'"
    ),
    "line of a mailbox file": MailCase(
        b">From bob@x.example Tue Mar 10 09:00:00 2026\r\n" + make_mail(TEXT), "plain words"
    ),
    "byte order mark": MailCase(b"\xef\xbb\xbf" + make_mail(TEXT), "plain words"),
    "blanks before colons": MailCase(
        make_mail(TEXT).replace(b"Subject:", b"Subject :").replace(b"From:", b"From :"), "plain words"
    ),
    "line in the header that is none": MailCase(
        make_mail(TEXT).replace(b"Subject:", b"this is no header\r\nSubject:"), "plain words"
    ),
    "sender alone": MailCase(make_mail(TEXT, From="", Sender="Bob Hill <bob@x.example>"), "plain words"),
    "name in nested comments": MailCase(
        make_mail(TEXT, From="bob@x.example (Bob (the (third)) Hill)"),
        "plain words",
        sender='"Bob (the (third)) Hill" <bob@x.example>',
    ),
    "name behind its address": MailCase(make_mail(TEXT, From="<bob@x.example> (Bob Hill)"), "plain words"),
    "address without brackets": MailCase(make_mail(TEXT, From="Bob Hill bob@x.example"), "plain words"),
    "address with half its brackets": MailCase(make_mail(TEXT, From="Bob Hill <bob@x.example"), "plain words"),
    "sender in one encoded word": MailCase(
        make_mail(TEXT, From="=?utf-8?Q?Bob_Hill_=3Cbob=40x.example=3E?="), "plain words"
    ),
    "group of people": MailCase(
        make_mail(TEXT, Cc="The team: eva@x.example, Zoe <zoe@y.example>;"),
        "plain words",
        replies=("bob@x.example", "eva@x.example", "zoe@y.example"),
    ),
    "question mark in an encoded word": MailCase(
        make_mail(TEXT, Subject="=?utf-8?Q?Wie_sp=C3=A4t?_?="), "plain words", subject="Wie spät?"
    ),
    "korean": MailCase(
        make_mail(b"Content-Type: text/plain; charset=iso-2022-kr\n\n" + "안녕하세요".encode("iso2022_kr")),
        "안녕하세요",
    ),
    "utf-7": MailCase(make_mail(b"Content-Type: text/plain; charset=utf-7\n\nGr+APwA3w-e"), "Grüße"),
    "mail forwarded by its sender's program": MailCase(
        make_mail(TEXT, Resent_From="Eva <eva@x.example>", Resent_To="ada@berg.example", Received="from a by b"),
        "plain words",
    ),
    "text right behind the header": MailCase(
        make_mail(b"The words follow.\nNote: all of them.\n"), "The words follow. Note: all of them."
    ),
    "two names of one file": MailCase(
        make_mail(
            make_multipart(
                "mixed",
                TEXT,
                make_file("application/pdf", "Uebersicht.pdf\"; filename*=UTF-8''%C3%9Cbersicht.pdf; x=\"y", PDF),
            )
        ),
        "plain words",
        [("Übersicht.pdf", PDF)],
    ),
    "japanese beyond the standard": MailCase(
        make_mail(b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1b$B$3-!\x1b(B (\x1b(I1\x1b(B)\n"), "こ① (ｱ)"
    ),
    "read receipt": MailCase(
        make_mail(
            make_multipart(
                "report",
                make_text("It was read.\n"),
                b"Content-Type: message/disposition-notification\n\nDisposition: manual-action; displayed\n",
                more="; report-type=disposition-notification",
            )
        ),
        "It was read.",
        [("", b"Disposition: manual-action; displayed\r\n")],
    ),
}
