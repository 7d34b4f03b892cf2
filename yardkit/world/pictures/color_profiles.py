"""Colours as a viewer shows them: by the profile of the file, converted to sRGB."""

import io
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

_RELATIVE, _BLACK_POINT = 1, 0x2000
"""Of LittleCMS: the intent that keeps white white, and the flag that keeps black black."""
_TOLERANCE = 2
"""Steps of 255 by which colours may differ for a profile to be that of sRGB."""
_SPACES = {"L": b"GRAY", "RGB": b"RGB ", "CMYK": b"CMYK", "LAB": b"Lab "}
_COLUMNS = {
    "Display P3": ((0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407)),
    "Adobe RGB": ((0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457)),
    "BT.2020": ((0.67348, 0.27904, -0.00194), (0.16567, 0.67535, 0.02998), (0.12505, 0.04561, 0.79684)),
}
_SRGB_COLUMNS = ((0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.7141))
"""Red, green and blue in XYZ, adapted to the white D50 of profiles."""
_GAMMA = "gamma "
_LEAST_GAMMA = 0.1
_ADOBE_CURVE = b"curv" + struct.pack(">IIH2x", 0, 1, round(2.19921875 * 256))
_USUAL_GAMMA, _GAMMA_TOLERANCE = 1 / 2.2, 0.05
"""What PNG states for sRGB, and the share by which it may differ (libpng)."""
_SRGB_CURVE = b"para" + struct.pack(
    ">IHH5i", 0, 3, 0, *(round(value * 65536) for value in (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045))
)
_PRIMARIES = {9: "BT.2020", 11: "Display P3", 12: "Display P3"}
_HDR = {16: "PQ", 18: "HLG"}
"""Code points of ISO/IEC 23091-2 that files of video kinds and PNG have in place of a profile."""


def read_coding_points(head: bytes) -> tuple[str, str]:
    """The colour space and the HDR curve that AVIF, HEIC and PNG state by numbers; empty for sRGB or none."""
    for marker, form in ((b"nclx", ">HH"), (b"cICP", "BB")):
        start = head.find(marker)
        if 0 <= start <= len(head) - 8:
            primaries, transfer = struct.unpack_from(form, head, start + 4)
            return _PRIMARIES.get(primaries, ""), _HDR.get(transfer, "")
    return "", ""


def name_gamma(gamma: object) -> str:
    """The colour space of a PNG that states its gamma alone; empty where that is the one of sRGB, or senseless."""
    if not isinstance(gamma, float) or not _LEAST_GAMMA <= gamma <= 1 / _LEAST_GAMMA:
        return ""
    return "" if abs(gamma / _USUAL_GAMMA - 1) < _GAMMA_TOLERANCE else f"{_GAMMA}{1 / gamma:.4f}"


def build_profile(name: str) -> bytes:
    """A matrix profile of one of the colour spaces that files name without describing it."""
    curve = _ADOBE_CURVE if name == "Adobe RGB" else _SRGB_CURVE
    if name.startswith(_GAMMA):
        curve = b"curv" + struct.pack(">IIH2x", 0, 1, round(float(name.removeprefix(_GAMMA)) * 256))
    text = name.encode()
    description = b"desc" + struct.pack(">II", 0, len(text) + 1) + text + b"\0" * 79
    white = (0.9642, 1.0, 0.8249)
    tags = [(b"desc", description), (b"cprt", b"text\0\0\0\0none\0"), (b"wtpt", _encode_xyz(white))]
    for letter, column in zip((b"r", b"g", b"b"), _COLUMNS.get(name, _SRGB_COLUMNS), strict=True):
        tags += [(letter + b"XYZ", _encode_xyz(column)), (letter + b"TRC", curve)]
    begin, table, data = 132 + 12 * len(tags), struct.pack(">I", len(tags)), b""
    for signature, body in tags:
        table += signature + struct.pack(">II", begin + len(data), len(body))
        data += body + b"\0" * (-len(body) % 4)
    head = struct.pack(">I4xI", 128 + len(table) + len(data), 0x02200000) + b"mntrRGB XYZ " + b"\0" * 12 + b"acsp"
    return head.ljust(68, b"\0") + _encode_xyz(white)[8:] + b"\0" * 48 + table + data


def _encode_xyz(values: tuple[float, float, float]) -> bytes:
    return b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(value * 65536) for value in values))


def name_profile(profile: bytes) -> str:
    """What a profile calls itself; empty where it means sRGB.

    Raises:
        ValueError: it is damaged.
    """
    from PIL import Image, ImageCms

    try:
        opened = ImageCms.getOpenProfile(io.BytesIO(profile))
        name = ImageCms.getProfileDescription(opened).strip() or "unnamed"
        if profile[16:20] == b"RGB ":
            swatch = _make_swatch()
            pixels = _convert_image(swatch, opened).tobytes()
            if all(abs(a - b) <= _TOLERANCE for a, b in zip(swatch.tobytes(), pixels, strict=True)):
                return ""
        elif profile[16:20] in _SPACES.values():
            mode = next(mode for mode, space in _SPACES.items() if profile[16:20] == space)
            _convert_image(Image.new(mode, (1, 1)), opened)
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError) as error:
        raise ValueError("the profile is damaged") from error
    return name


def convert_to_srgb(image: "Image", profile: bytes) -> "Image":
    """An image of mode L, RGB, CMYK or LAB in sRGB; as it is if the profile is sRGB's, damaged or of another mode."""
    from PIL import ImageCms

    if image.mode == "L" and profile[16:20] == b"RGB ":
        image = image.convert("RGB")
    if profile[16:20] != _SPACES.get(image.mode):
        return image
    try:
        if not name_profile(profile):
            return image
        return _convert_image(image, ImageCms.getOpenProfile(io.BytesIO(profile)))
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def convert_lab(image: "Image") -> "Image":
    """An image of mode LAB in sRGB."""
    from PIL import ImageCms

    return _convert_image(image, ImageCms.createProfile("LAB"))


def _convert_image(image: "Image", profile: Any) -> "Image":
    from PIL import ImageCms

    srgb = ImageCms.createProfile("sRGB")
    intent = ImageCms.Intent(_RELATIVE)
    flags = ImageCms.Flags(_BLACK_POINT)
    converted = ImageCms.profileToProfile(image, profile, srgb, intent, "RGB", flags=flags)
    if converted is None:
        raise ValueError("the picture could not be converted to sRGB")
    return converted


def _make_swatch() -> "Image":
    from PIL import Image

    steps = (0, 64, 128, 192, 255)
    return Image.frombytes("RGB", (125, 1), bytes(v for r in steps for g in steps for b in steps for v in (r, g, b)))
