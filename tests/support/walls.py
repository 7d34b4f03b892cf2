"""What programs within walls try."""

OPENS_SETTINGS = """
import os
def opens(path):
    try:
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        return False
    return True
places = ["/proc/" + name for name in os.listdir("/proc") if not name.isdecimal()]
places = [path for path in places if not os.path.islink(path)]
paths = [path for path in places if not os.path.isdir(path) and path not in ("/proc/kmsg", "/proc/kcore")]
paths += [os.path.join(folder, name) for place in places for folder, _, names in os.walk(place) for name in names]
# What a program asks to be told of, under `pressure`, changes nothing.
found = [path for path in paths if not path.startswith("/proc/pressure/") and opens(path)]
"""
"""Opens all files of the kernel for writing, writes nothing, and has `found` those that opened."""
