"""Makes Pillow, when it is loaded, take half a picture for none again.

WeasyPrint, where it is loaded, lets Pillow take half a picture for a whole one in all that the process does after that,
and calls of other tools are forked from that process, too.
"""

import weasyprint  # noqa: F401, TID253 - it is to be loaded before; nothing imports this but what loads it by name
from PIL import ImageFile  # noqa: TID253

ImageFile.LOAD_TRUNCATED_IMAGES = False
