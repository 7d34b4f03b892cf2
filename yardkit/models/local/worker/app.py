"""The worker over HTTP: OpenAI's routes where it has them, and our own for boxes, masks and long work."""

import asyncio
import hmac
import sys
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from yardkit.models.local.worker import routes
from yardkit.models.local.worker.call import Call
from yardkit.models.local.worker.engine import Engine, Settings
from yardkit.models.local.worker.faults import Unknown, status_of
from yardkit.models.local.worker.figures import MEDIA_TYPE
from yardkit.models.local.worker.jobs import Jobs
from yardkit.world import Problem

GONE = 499
"""The status that is counted where the client has gone."""


class Service:
    """The routes of one worker.

    Attributes:
        engine: the models.
        jobs: long work.
    """

    def __init__(self, settings: Settings, key: str) -> None:
        self._settings, self._key = settings, key
        self.engine: Engine
        self.jobs: Jobs

    @asynccontextmanager
    async def open_lifespan(self, app: Starlette) -> AsyncIterator[None]:  # noqa: ARG002 - Starlette's signature
        self.engine, self.jobs = Engine(self._settings), Jobs()
        try:
            yield
        finally:
            self.jobs.close()
            self.engine.close()

    def build_app(self) -> Starlette:
        """The application."""
        table = [
            Route("/health", self._answer_health),
            Route("/metrics", self._answer_metrics),
            Route("/v1/models", self._make_route(routes.list_models)),
            Route("/v1/chat/completions", self._make_route(routes.answer_chat), methods=["POST"]),
            Route("/v1/embeddings", self._make_route(routes.embed_inputs), methods=["POST"]),
            Route("/v1/audio/transcriptions", self._make_route(routes.transcribe_sound), methods=["POST"]),
            Route("/v1/audio/speech", self._make_route(routes.speak_text), methods=["POST"]),
            Route("/v1/images/generations", self._make_route(routes.make_images), methods=["POST"]),
            Route("/v1/images/edits", self._make_route(routes.edit_images), methods=["POST"]),
            Route("/v1/objects", self._make_route(routes.find_objects), methods=["POST"]),
            Route("/v1/masks", self._make_route(routes.find_masks), methods=["POST"]),
        ]
        for kind, start in (("videos", routes.start_video), ("music", routes.start_music)):
            table += [
                Route(f"/v1/{kind}", self._make_route(start), methods=["POST"]),
                Route(f"/v1/{kind}/{{id}}", self._make_route(routes.look_at_job), methods=["GET", "DELETE"]),
                Route(f"/v1/{kind}/{{id}}/content", self._make_route(routes.fetch_job)),
            ]
        return Starlette(routes=table, lifespan=self.open_lifespan, exception_handlers={404: _no_route, 405: _no_route})

    def _make_route(self, answer: Callable[[Call], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            call, started = Call(self.engine, self.jobs, request), time.monotonic()
            response = await self._answer_call(call, answer)
            route = request.scope["route"].path
            self.engine.figures.call(call.model, route, response.status_code, time.monotonic() - started)
            return response

        return endpoint

    async def _answer_call(self, call: Call, answer: Callable[[Call], Awaitable[Response]]) -> Response:
        try:
            self._check_key(call.request)
            return await answer(call)
        except _Refused as refused:
            return _make_error(401, str(refused))
        except Problem as problem:
            return _make_error(status_of(problem), str(problem))
        except (ClientDisconnect, asyncio.CancelledError):
            return Response(status_code=GONE)
        except Exception as error:  # noqa: BLE001 - whatever a model raises, the worker goes on
            traceback.print_exception(error, file=sys.stderr)
            return _make_error(500, f"a fault of the worker or of the model: {type(error).__name__}; its log says more")

    def _check_key(self, request: Request) -> None:
        client_key = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        if self._key and not hmac.compare_digest(client_key, self._key.encode()):
            raise _Refused("this worker requires its key (YARDKIT_WORKER_KEY) as a bearer token")

    async def _answer_health(self, request: Request) -> Response:  # noqa: ARG002 - Starlette's signature
        if self.engine.lane.broken:
            return JSONResponse({"status": "broken", "reason": self.engine.lane.broken}, 503)
        memory = self.engine.memory
        return JSONResponse(
            {
                "status": "ok",
                "device": str(self.engine.device),
                "loaded": sorted(slot.name for slot in memory.slots.values() if slot.ready),
                "device_bytes": memory.device_bytes,
                "budget_bytes": memory.budget.device,
                "waiting": self.engine.lane.waiting,
            }
        )

    async def _answer_metrics(self, request: Request) -> Response:  # noqa: ARG002 - Starlette's signature
        return Response(self.engine.figures.text(self.engine.memory, self.engine.lane), media_type=MEDIA_TYPE)


class _Refused(Exception):
    pass


def _make_error(status: int, message: str) -> JSONResponse:
    kind = "invalid_request_error" if status < 500 else "server_error"
    return JSONResponse({"error": {"message": message, "type": kind, "code": status}}, status)


async def _no_route(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return _make_error(status, str(Unknown(f"there is no {request.method} {request.url.path} here")))


def create_app(settings: Settings, key: str = "") -> Starlette:
    """The worker as an ASGI application.

    Args:
        settings: of the worker.
        key: that clients must send; empty for none.
    """
    return Service(settings, key).build_app()
