"""Which kinds of picture are read, and what other files are, told from their first bytes."""

READ_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF", "HEIF")
"""What is opened as a picture: Pillow opens more, some by starting programs such as Ghostscript."""
READ_SUFFIXES = (
    *(".png", ".jpg", ".jpeg", ".jfif", ".webp", ".gif", ".bmp", ".tif", ".tiff"),
    *(".avif", ".heic", ".heif", ".hif"),
)
READ_NAMES = "PNG, JPEG, WEBP, GIF, BMP, TIFF, AVIF or HEIC"
_HEIF_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_OTHER_KINDS = (
    (b"%PDF", "it is a PDF; render its pages to images first"),
    (b"PK\x03\x04", "it is a zip package (docx, xlsx, zip ...); extract the images first"),
    (b"<svg", "it is an SVG drawing; render it to PNG first"),
    (b"<?xml", "it is XML (perhaps SVG); render it to PNG first"),
    (b"\0\0\0\x0cjP  ", "it is a JPEG 2000 picture, which is not supported; save it as PNG or JPEG"),
    (b"\xffO\xffQ", "it is a JPEG 2000 picture, which is not supported; save it as PNG or JPEG"),
    (b"\0\0\0\x0cJXL ", "it is a JPEG XL picture, which is not supported; save it as PNG or JPEG"),
    (b"\xff\x0a", "it is a JPEG XL picture, which is not supported; save it as PNG or JPEG"),
    (b"8BPS", "it is a Photoshop file; save it as PNG or TIFF"),
    (b"\0\0\1\0", "it is an icon (ICO); save it as PNG"),
    (b"FUJIFILMCCD-RAW", "it is a camera raw file; develop it to TIFF or JPEG first"),
    (b"II*\0", "it is a TIFF whose compression or kind of pixels is not supported; save it as PNG"),
    (b"MM\0*", "it is a TIFF whose compression or kind of pixels is not supported; save it as PNG"),
    (b"II+\0", "it is a BigTIFF that is damaged or not supported; save it as PNG"),
    (b"\x89PNG", "it is a PNG that is damaged; save it again"),
    (b"\xff\xd8\xff", "it is a JPEG that is damaged; save it again"),
    (b"GIF8", "it is a GIF that is damaged; save it again"),
)


def is_heif(head: bytes) -> bool:
    """Whether a file that begins so is HEIC or another HEIF, and not AVIF."""
    return head[4:8] == b"ftyp" and head[8:12] in _HEIF_BRANDS and b"avif" not in head[8:40]


def explain_other_kind(head: bytes) -> str:
    """Why a file that begins so is not read as a picture, and what to do."""
    start = head.lstrip()
    if not start:
        return "it is empty"
    if head[4:8] == b"ftyp":
        brand = head[8:12].decode("latin-1").strip()
        return f"it is a video, or a picture of the kind {brand!r} that is damaged or not supported"
    reason = next((words for magic, words in _OTHER_KINDS if head.startswith(magic) or start.startswith(magic)), None)
    return reason or f"give a {READ_NAMES} file"
