"""What can be measured of a picture, and of two: quality figures, difference, likeness."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.kit.pictures import run_picture_call
from yardkit.servers.images.engine.files import encode_image, load_picture
from yardkit.world import FileRef, Problem, save_bytes

if TYPE_CHECKING:
    from PIL.Image import Image

_HASH_PX = 32


@dataclass(frozen=True)
class ImageQuality:
    """Figures of one picture. Each is a heuristic: compare them between pictures of one scene and size.

    Attributes:
        sharpness: variance of the Laplacian of the grey picture; under about 100 mostly blurred.
        noise: standard deviation of the noise in grey levels (Immerkaer 1996).
        blockiness: steps at the edges of 8 x 8 blocks over steps within; about 1 without JPEG blocks.
        brightness: mean grey level, 0 to 255.
        contrast: standard deviation of the grey levels.
        dark_share, light_share: of the pixels that are nearly black (under 5) and nearly white (over 250).
        remarks: what these say.
    """

    sharpness: float
    noise: float
    blockiness: float
    brightness: float
    contrast: float
    dark_share: float
    light_share: float
    remarks: tuple[str, ...]

    def __str__(self) -> str:
        head = (
            f"sharpness {self.sharpness:.1f} (variance of the Laplacian), noise {self.noise:.1f} grey levels, "
            f"blockiness {self.blockiness:.2f}, brightness {self.brightness:.0f} of 255, contrast {self.contrast:.0f}, "
            f"{self.dark_share:.1%} black, {self.light_share:.1%} white. Heuristics: compare them between pictures."
        )
        return "\n".join([head, *(f"- {remark}" for remark in self.remarks)])


@dataclass(frozen=True)
class ImageDifference:
    """How two pictures differ.

    Attributes:
        same: whether every pixel is equal.
        mean_difference: of the channels, 0 to 255.
        psnr_db: peak signal to noise ratio; null where they are the same.
        ssim: structural similarity of the grey pictures, 1 for the same (Wang 2004, 7 x 7 windows).
        hash_distance: bits of 64 in which the perceptual hashes differ; up to about 10 for the same picture in another
            size or quality.
        changed_share: of the pixels that differ by more than 16 levels.
        changed_px: the box around all of these; null where there are none.
        note: where the sizes differ, that the second was scaled.
        picture: the picture of the differences, if it was wanted.
    """

    same: bool
    mean_difference: float
    psnr_db: float | None
    ssim: float
    hash_distance: int
    changed_share: float
    changed_px: tuple[int, int, int, int] | None
    note: str = ""
    picture: FileRef | None = None

    def __str__(self) -> str:
        if self.same:
            return "The pictures are the same, pixel by pixel."
        psnr = f"PSNR {self.psnr_db:.1f} dB, " if self.psnr_db is not None else ""
        where = f" within {list(self.changed_px)}" if self.changed_px else ""
        head = (
            f"mean difference {self.mean_difference:.2f} of 255, {psnr}SSIM {self.ssim:.3f}, hashes differ in "
            f"{self.hash_distance} of 64 bits; {self.changed_share:.1%} of the pixels differ clearly{where}"
        )
        saved = [f"differences in {self.picture}"] if self.picture else []
        return "\n".join([head, *([self.note] if self.note else []), *saved])


def measure_quality(path: Path) -> ImageQuality:
    """Quality figures of a picture.

    Raises:
        Problem: it cannot be read, or is too small.
    """
    return run_picture_call(_measure_quality, path)


def measure_difference(path: Path, other: Path, target: Path | None = None) -> ImageDifference:
    """How a picture differs from another.

    Args:
        path: of one.
        other: of the other, which is scaled to the size of the first.
        target: where a picture of the differences is written, as PNG.

    Raises:
        Problem: one cannot be read, or `target` is not the name of a PNG.
    """
    if target is not None and target.suffix.lower() != ".png":
        raise Problem(f"{target.name!r} must end with .png")
    image_difference, picture = run_picture_call(_compare_images, path, other, target is not None)
    if target is None:
        return image_difference
    save_bytes(target, picture)
    return replace(image_difference, picture=FileRef.from_path(target))


def _measure_quality(path: Path) -> ImageQuality:
    import numpy as np

    grey = np.asarray(load_picture(path).convert("L"), dtype=np.float64)
    if min(grey.shape) < 16:
        raise Problem(f"{path.name!r} is only {grey.shape[1]} x {grey.shape[0]} pixels, too small to measure")
    laplacian = -4 * grey[1:-1, 1:-1] + grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:]
    sharpness, brightness = float(laplacian.var()), float(grey.mean())
    noise, blockiness = _measure_noise(grey), _measure_blockiness(grey)
    dark, light = float((grey < 5).mean()), float((grey > 250).mean())
    remarks = [
        words
        for seen, words in (
            (sharpness < 100, "it is probably blurred, or shows little detail"),
            (noise > 8, "it is noisy"),
            (blockiness > 1.35, "blocks of strong JPEG compression are seen"),
            (brightness < 50, "it is dark"),
            (brightness > 205, "it is very light"),
            (float(grey.std()) < 25, "it has little contrast"),
            (light > 0.2 and brightness < 235, "light parts are blown out"),
        )
        if seen
    ]
    return ImageQuality(sharpness, noise, blockiness, brightness, float(grey.std()), dark, light, tuple(remarks))


def _measure_noise(grey: Any) -> float:
    """The standard deviation of noise, from a mask that edges hardly answer to (Immerkaer 1996)."""
    import math

    import numpy as np

    mask = (
        grey[:-2, :-2]
        + grey[:-2, 2:]
        + grey[2:, :-2]
        + grey[2:, 2:]
        + 4 * grey[1:-1, 1:-1]
        - 2 * (grey[:-2, 1:-1] + grey[2:, 1:-1] + grey[1:-1, :-2] + grey[1:-1, 2:])
    )
    return float(np.abs(mask).mean() * math.sqrt(math.pi / 2) / 6)


def _measure_blockiness(grey: Any) -> float:
    import numpy as np

    ratios = []
    for steps in (np.abs(np.diff(grey, axis=1)), np.abs(np.diff(grey, axis=0)).T):
        at_edges = steps[:, 7::8].mean()
        within = np.delete(steps, np.arange(7, steps.shape[1], 8), axis=1).mean()
        ratios.append((at_edges + 0.1) / (within + 0.1))
    return float(np.mean(ratios))


def _compare_images(path: Path, other: Path, drawn: bool) -> tuple[ImageDifference, bytes]:
    import math

    import numpy as np
    from PIL import Image

    first, second = load_picture(path).convert("RGBA"), load_picture(other).convert("RGBA")
    note = ""
    if first.size != second.size:
        note = f"The second is {second.width} x {second.height} px and was scaled to {first.width} x {first.height}."
        second = second.resize(first.size, Image.Resampling.LANCZOS)
    first_pixels, two = (np.asarray(image, dtype=np.float64) for image in (first, second))
    steps = np.abs(first_pixels - two)
    mean_square = float((steps**2).mean())
    changed = steps.max(axis=2) > 16
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1) if len(rows) else None
    image_difference = ImageDifference(
        same=not note and mean_square == 0,
        mean_difference=float(steps.mean()),
        psnr_db=None if mean_square == 0 else 10 * math.log10(255**2 / mean_square),
        ssim=_compute_ssim(np.asarray(first.convert("L"), float), np.asarray(second.convert("L"), float)),
        hash_distance=bin(_compute_hash(first) ^ _compute_hash(second)).count("1"),
        changed_share=float(changed.mean()),
        changed_px=box,
        note=note,
    )
    return image_difference, _draw_changes(first, changed) if drawn else b""


def _compute_ssim(first_pixels: Any, two: Any) -> float:
    """The mean structural similarity over 7 x 7 windows, unbiased, as scikit-image has it by default."""
    import cv2
    import numpy as np

    size = min(7, *first_pixels.shape)
    count = size * size
    unbiased = count / (count - 1) if count > 1 else 1.0

    def mean(values: Any) -> Any:
        return cv2.blur(values, (size, size))

    mean_one, mean_two = mean(first_pixels), mean(two)
    var_one, var_two = (
        (mean(first_pixels * first_pixels) - mean_one**2) * unbiased,
        (mean(two * two) - mean_two**2) * unbiased,
    )
    both = (mean(first_pixels * two) - mean_one * mean_two) * unbiased
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    likeness = ((2 * mean_one * mean_two + c1) * (2 * both + c2)) / (
        (mean_one**2 + mean_two**2 + c1) * (var_one + var_two + c2)
    )
    edge = size // 2
    inner = likeness[edge : likeness.shape[0] - edge, edge : likeness.shape[1] - edge]
    return float(np.mean(inner if inner.size else likeness))


def _compute_hash(image: "Image") -> int:
    """The perceptual hash of 64 bits: signs of the low frequencies of the grey picture at 32 x 32."""
    import cv2
    import numpy as np

    grey = np.asarray(image.convert("L").resize((_HASH_PX, _HASH_PX)), dtype=np.float32)
    low = cv2.dct(grey)[:8, :8].flatten()
    middle = np.median(low[1:])
    return int("".join("1" if value > middle else "0" for value in low), 2)


def _draw_changes(first: "Image", changed: Any) -> bytes:
    """The picture in pale grey, with what changed in red."""
    import numpy as np
    from PIL import Image

    pale = np.asarray(first.convert("L"), dtype=np.float32) * 0.5 + 127
    marked_picture = np.stack([pale] * 3, axis=2).astype(np.uint8)
    marked_picture[changed] = (215, 25, 28)
    return encode_image(Image.fromarray(marked_picture), "PNG")
