"""Packages (docx, xlsx, pptx, zip) whose bytes depend on their content alone."""

import datetime
import io
import re
import zipfile

_STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_NESTED = (".xlsx", ".docx", ".pptx")


def settle_package(package: bytes, now: datetime.datetime) -> bytes:
    """The package with `now` (UTC) in place of the machine's time, which libraries write into it and its members."""
    stamp = f"{now:%Y-%m-%dT%H:%M:%SZ}".encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                content = _STAMP.sub(stamp, content)
            elif name.endswith(_NESTED):
                content = settle_package(content, now)
            info = zipfile.ZipInfo(name, (now.year, now.month, now.day, now.hour, now.minute, 0))
            target.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
