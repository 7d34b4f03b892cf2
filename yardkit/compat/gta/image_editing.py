"""Pictures changed by words in the dialect of GTA."""

from yardkit.compat.gta import name_by_content
from yardkit.kit.dialect import Delivered, choose_deliverable
from yardkit.servers.image_editing import engine
from yardkit.world import InFile


def ImageStylization(image: InFile, instruction: str) -> Delivered:
    target = choose_deliverable(name_by_content("stylized", f"{image.name}\n{instruction}"), ".png", None)
    return Delivered(engine.edit_picture(image, instruction, target).picture)
