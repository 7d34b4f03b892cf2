"""Light and colour changed, and named styles."""

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from PIL.Image import Image

Style = Literal["grayscale", "sepia", "invert", "posterize", "cartoon", "pencil", "ink", "oil", "emboss", "edges"]
_STYLE_PX = 2_000
"""The longest side at which the slow styles work; a larger picture is made smaller for them and large again."""


def adjust_tones(image: "Image", factors: dict[str, float], gamma: float, stretch: bool) -> "Image":
    """An image with other light and colour.

    Args:
        image: the picture.
        factors: of brightness, contrast, saturation, sharpness; 1 leaves it as it is.
        gamma: over 1 brightens the dark parts.
        stretch: whether the darkest parts become black and the lightest white.
    """
    from PIL import ImageEnhance, ImageOps

    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    adjusted_image = image.convert("RGB")
    if stretch:
        adjusted_image = ImageOps.autocontrast(adjusted_image, cutoff=0.5, preserve_tone=True)
    ways = {
        "brightness": ImageEnhance.Brightness,
        "contrast": ImageEnhance.Contrast,
        "saturation": ImageEnhance.Color,
        "sharpness": ImageEnhance.Sharpness,
    }
    for name, factor in factors.items():
        if factor != 1:
            adjusted_image = ways[name](adjusted_image).enhance(factor)
    if gamma != 1:
        adjusted_image = adjusted_image.point([round(255 * (value / 255) ** (1 / gamma)) for value in range(256)] * 3)
    if alpha is not None:
        adjusted_image.putalpha(alpha)
    return adjusted_image


def apply_style(image: "Image", style: Style, strength: float) -> "Image":
    """An image in a style, mixed with itself by `strength` in (0, 1]."""
    from PIL import Image

    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    rgb_image = image.convert("RGB")
    small = rgb_image.copy()
    small.thumbnail((_STYLE_PX, _STYLE_PX), Image.Resampling.LANCZOS)
    styled_image = _STYLES[style](small)
    styled_image = (
        styled_image
        if styled_image.size == rgb_image.size
        else styled_image.resize(rgb_image.size, Image.Resampling.BICUBIC)
    )
    if strength < 1:
        styled_image = Image.blend(rgb_image, styled_image, strength)
    if alpha is not None:
        styled_image.putalpha(alpha)
    return styled_image


def _make_grayscale(image: "Image") -> "Image":
    return image.convert("L").convert("RGB")


def _make_sepia(image: "Image") -> "Image":
    matrix = (0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0)
    return image.convert("RGB", matrix)


def _invert_colors(image: "Image") -> "Image":
    from PIL import ImageOps

    return ImageOps.invert(image)


def _posterize_colors(image: "Image") -> "Image":
    from PIL import Image

    return image.quantize(8, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).convert("RGB")


def _make_cartoon(image: "Image") -> "Image":
    """Flat colours within dark lines, by a bilateral filter and an adaptive threshold."""
    cv2, pixels = _to_pixels(image)
    flat = pixels
    for _ in range(4):
        flat = cv2.bilateralFilter(flat, 9, 40, 9)
    # Lines of what is flat already: those of the pixels would be hair and grain.
    grey = cv2.medianBlur(cv2.cvtColor(flat, cv2.COLOR_RGB2GRAY), 5)
    lines = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 9, 6)
    flat = cv2.medianBlur((flat // 24) * 24 + 12, 5)
    return _to_image(cv2.bitwise_and(flat, flat, mask=lines))


def _draw_pencil(image: "Image") -> "Image":
    """A drawing in grey: the picture divided by its blurred self (colour dodge)."""
    cv2, pixels = _to_pixels(image)
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    blurred = cv2.GaussianBlur(255 - grey, (0, 0), max(3, max(grey.shape) / 120))
    return _to_image(cv2.cvtColor(cv2.divide(grey, 255 - blurred, scale=250), cv2.COLOR_GRAY2RGB))


def _draw_ink(image: "Image") -> "Image":
    """Black lines and shadows on white (extended difference of Gaussians, Winnemöller 2011)."""
    import numpy as np

    cv2, pixels = _to_pixels(image)
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    near, far = cv2.GaussianBlur(grey, (0, 0), 1.0), cv2.GaussianBlur(grey, (0, 0), 1.6)
    sharp = near + 20 * (near - far)
    inked = np.where(sharp >= 0.55, 1.0, 1.0 + np.tanh(12 * (sharp - 0.55)))
    return _to_image(cv2.cvtColor((inked * 255).clip(0, 255).astype(np.uint8), cv2.COLOR_GRAY2RGB))


def _paint_oil(image: "Image") -> "Image":
    from PIL import ImageFilter

    return image.filter(ImageFilter.ModeFilter(9)).filter(ImageFilter.SMOOTH)


def _emboss_relief(image: "Image") -> "Image":
    from PIL import ImageFilter

    return image.convert("L").filter(ImageFilter.EMBOSS).convert("RGB")


def _draw_edges(image: "Image") -> "Image":
    cv2, pixels = _to_pixels(image)
    grey = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), (0, 0), 1.2)
    return _to_image(cv2.cvtColor(255 - cv2.Canny(grey, 60, 140), cv2.COLOR_GRAY2RGB))


_STYLES = {
    "grayscale": _make_grayscale,
    "sepia": _make_sepia,
    "invert": _invert_colors,
    "posterize": _posterize_colors,
    "cartoon": _make_cartoon,
    "pencil": _draw_pencil,
    "ink": _draw_ink,
    "oil": _paint_oil,
    "emboss": _emboss_relief,
    "edges": _draw_edges,
}


def _to_pixels(image: "Image") -> Any:
    import cv2
    import numpy as np

    return cv2, np.asarray(image)


def _to_image(pixels: Any) -> "Image":
    from PIL import Image

    return Image.fromarray(pixels)
