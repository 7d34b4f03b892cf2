"""Size and start of the container image, built without Docker (docker/build.sh), with every server and with two.

PYTHONPATH=tests:tests/outside .venv/bin/python bench/image.py
"""

import statistics
import tempfile
from pathlib import Path

from containers import built_image, running_container

IMAGES = {"all servers": (), "files, calculator": ("--build-arg", "SERVERS=files calculator")}
STARTS = 5


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="yardkit-image-") as folder:
        for name, arguments in IMAGES.items():
            tag = f"localhost/yardkit:{len(arguments)}"
            with built_image(Path(folder) / "images", tag, *arguments) as image:
                starts = []
                for number in range(STARTS):
                    bundle = Path(folder) / f"{len(arguments)}-{number}"
                    with running_container(image, bundle, namespaces=True) as container:
                        starts.append(container.started_s)
                median, first = statistics.median(starts), starts[0]
                print(
                    f"{name}: {image.size_bytes / 1e9:.2f} GB, healthy after {median:.1f} s (first time {first:.1f} s)"
                )


if __name__ == "__main__":
    main()
