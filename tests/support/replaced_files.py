"""Files in the place of others, as a file system makes them that gives the inode of a removed file to the next one."""

import os
from pathlib import Path


def put_in_place(path: Path, data: bytes) -> None:
    """Other bytes of the same number in the same inode, with the date of the old ones."""
    before = path.stat()
    assert len(data) == before.st_size
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
