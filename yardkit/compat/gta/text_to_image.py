"""Pictures from words in the dialect of GTA."""

from yardkit.compat.gta import name_by_content
from yardkit.kit.dialect import Delivered, choose_deliverable
from yardkit.servers.text_to_image import engine


def TextToImage(keywords: str) -> Delivered:
    target = choose_deliverable(name_by_content("image", keywords), ".png", None)
    return Delivered(engine.generate_picture(keywords, target).picture)
