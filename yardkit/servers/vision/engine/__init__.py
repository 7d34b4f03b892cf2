"""The work of the vision server, without MCP."""

from yardkit.servers.vision.engine.answers import (
    Answer,
    Comparison,
    answer_question,
    compare_pictures,
    describe_picture,
    describe_region,
)
from yardkit.servers.vision.engine.charts import Chart, read_chart
from yardkit.servers.vision.engine.facts import PictureFacts, TaggedPictures, tag_pictures
from yardkit.servers.vision.engine.frames import DescribedFrame, DescribedFrames, describe_frames
from yardkit.servers.vision.engine.likeness import PictureGroups, SimilarPictures, find_pictures, group_pictures

__all__ = [
    "Answer",
    "Chart",
    "Comparison",
    "DescribedFrame",
    "DescribedFrames",
    "PictureFacts",
    "PictureGroups",
    "SimilarPictures",
    "TaggedPictures",
    "answer_question",
    "compare_pictures",
    "describe_frames",
    "describe_picture",
    "describe_region",
    "find_pictures",
    "group_pictures",
    "read_chart",
    "tag_pictures",
]
