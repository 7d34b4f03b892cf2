"""Examples of faces: an astronaut, and a cat that has none."""

from tools.example import Example, Gallery
from tools.perception import CAT, HER, prepare_files

GALLERY = Gallery(
    prepare_files,
    (
        Example("mark_faces", {"path": HER, "target": "face.png"}, ("face.png",)),
        Example("mark_faces", {"path": HER, "landmarks": True, "target": "points.png"}, ("points.png",)),
        Example("find_faces", {"path": HER, "attributes": True}),
        Example("find_faces", {"path": CAT}),
        Example("compare_faces", {"path": HER, "other": HER, "other_bbox_px": [60, 0, 300, 260]}),
    ),
)
