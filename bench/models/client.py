"""Clients of a worker that runs on this machine."""

import http.client
import re
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any


class Worker:
    """A worker that runs, and its clients."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, method: str, route: str, body: bytes = b"", kind: str = "application/json") -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            return self.on(connection, method, route, body, kind)
        finally:
            connection.close()

    def on(self, connection: Any, method: str, route: str, body: bytes, kind: str) -> tuple[int, bytes]:
        connection.request(method, route, body, {"Content-Type": kind})
        response = connection.getresponse()
        return response.status, response.read()

    def many(self, calls: Sequence[tuple[str, bytes, str]], clients: int) -> tuple[float, list[tuple[int, bytes]]]:
        """Seconds and answers of calls by so many clients at a time."""
        thread_clients = threading.local()

        def call(request: tuple[str, bytes, str]) -> tuple[int, bytes]:
            if not hasattr(thread_clients, "connection"):
                thread_clients.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
            return self.on(thread_clients.connection, "POST", *request)

        with ThreadPoolExecutor(clients) as pool:
            started = time.monotonic()
            answers = list(pool.map(call, calls))
            return time.monotonic() - started, answers

    def figures(self) -> dict[str, float]:
        text = self.ask("GET", "/metrics")[1].decode()
        metric_pattern = re.compile(
            r"^yardkit_worker_(models_total\{.*|out_of_memory_total|batch_calls_(?:sum|count)\{.*) (\S+)$"
        )
        return {match[1]: float(match[2]) for line in text.splitlines() if (match := metric_pattern.match(line))}
