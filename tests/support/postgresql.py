"""PostgreSQL of Debian, started for tests on loopback."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from support.live_programs import needed_program


@contextmanager
def run_postgresql() -> Iterator[str]:
    """The address of an empty database `lab`."""
    programs = Path(needed_program("initdb", *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))).parent
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    if run:
        shutil.chown(folder, "postgres")
    initdb_command = [
        *run,
        str(programs / "initdb"),
        "-D",
        str(folder / "data"),
        "-U",
        "owner",
        "--auth=trust",
        "--no-sync",
    ]
    subprocess.run(initdb_command, check=True, capture_output=True)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    control = [*run, str(programs / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    subprocess.run([*control, "-o", options, "-l", str(folder / "log"), "start"], check=True, capture_output=True)
    try:
        with psycopg.connect(f"postgresql://owner@127.0.0.1:{port}/postgres", autocommit=True) as connection:
            connection.execute("CREATE DATABASE lab")
        url = f"postgresql://owner@127.0.0.1:{port}/lab"
        yield url
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)
        shutil.rmtree(folder)
