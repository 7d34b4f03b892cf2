"""The worker's counters in Prometheus' format."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from yardkit.models.local.worker.device_queue import Lane
    from yardkit.models.local.worker.memory import Memory

_SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300)
_SIZES = (1, 2, 4, 8, 16, 32)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Figures:
    """Counters of one worker."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = CollectorRegistry()
        rest = {"registry": self._registry, "namespace": "yardkit_worker"}
        self._calls = Counter("calls", "Calls by model, route and status.", ["model", "route", "status"], **rest)
        self._seconds = Histogram("call_seconds", "From request to answer.", ["model"], buckets=_SECONDS, **rest)
        self._batches = Histogram("batch_calls", "Calls run as one.", ["model"], buckets=_SIZES, **rest)
        self._busy = Counter("device_seconds", "Seconds that the device worked.", ["model"], **rest)
        self._events = Counter("models", "Loads, parkings, returns and drops of models.", ["event", "model"], **rest)
        self._memory = Counter("out_of_memory", "Calls for which other models had to go.", **rest)
        self._waiting = Gauge("waiting_calls", "Calls that wait for the device.", **rest)
        self._bytes = Gauge("model_bytes", "Bytes of weights.", ["place"], **rest)

    def call(self, model: str, route: str, status: int, seconds: float) -> None:
        self._calls.labels(model, route, status).inc()
        self._seconds.labels(model).observe(seconds)

    def count_batch(self, model: str, calls: int, seconds: float) -> None:
        self._batches.labels(model).observe(calls)
        self._busy.labels(model).inc(seconds)

    def count_event(self, event: str, model: str) -> None:
        self._events.labels(event, model).inc()

    def out_of_memory(self) -> None:
        self._memory.inc()

    def text(self, memory: "Memory", lane: "Lane") -> bytes:
        """Format all figures for Prometheus."""
        from prometheus_client import generate_latest

        self._waiting.set(lane.waiting)
        self._bytes.labels("device").set(memory.device_bytes)
        self._bytes.labels("parked").set(memory.parked_bytes)
        return bytes(generate_latest(self._registry))
