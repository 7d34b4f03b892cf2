"""The gateway's routes."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from yardkit.kit.results import adapt_result
from yardkit.sandbox.episodes.distractors import with_distractors
from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.ids import ALL, Share
from yardkit.sandbox.episodes.toolset import build_full_toolset, current_episode, current_servers
from yardkit.sandbox.gateway.bodies import CallBody, ForkBody, GradeBody, OpenBody, body_of
from yardkit.sandbox.gateway.episodes import Episodes, Visit, in_turn
from yardkit.sandbox.gateway.guards import Guards
from yardkit.sandbox.gateway.instances import described_instance, listed_tasks
from yardkit.sandbox.gateway.nemo_gym import COOKIE, FinishedRow, Row, describe_session, make_verdict
from yardkit.sandbox.gateway.settings import Settings
from yardkit.sandbox.gateway.tool_formats import tools_as, tools_digest
from yardkit.sandbox.gateway.tracing import trace_of
from yardkit.sandbox.serving.registry import get_version
from yardkit.sandbox.serving.tokens import token_of
from yardkit.sandbox.tasks.suites import dialects_of_tasks, find_task
from yardkit.world import Problem
from yardkit.world.problem import is_full


def create_app(runs: Path, operator_token: str, settings: Settings | None = None, share: Share = ALL) -> ASGIApp:
    """Make the gateway's ASGI app; it serves a `share` of the episodes below the directory `runs`.

    `operator_token` opens, grades, lists and deletes; the token of an episode is valid only for that episode.
    """
    settings = settings or Settings()
    guards = Middleware(Guards, settings=settings, operator_token=operator_token)
    return _Gateway(Episodes(runs.resolve(), operator_token, settings.max_open, share), settings, guards).app


class _Gateway:
    def __init__(self, episodes: Episodes, settings: Settings, guards: Middleware) -> None:
        self._episodes = episodes
        self._settings = settings
        self._digests: dict[tuple[Any, ...], str] = {}
        self._mcp = {
            dialect: build_full_toolset(dialect).http_app(path="/mcp", stateless_http=True)
            for dialect in dialects_of_tasks()
        }
        self.app = Starlette(
            routes=self._list_routes(),
            middleware=[guards],
            exception_handlers={HTTPException: _answer_refusal, Problem: _answer_problem, Exception: _answer_crash},
            lifespan=self._open_lifespan,
        )
        self.app.router.default = self._answer_unknown

    def _list_routes(self) -> list[Route]:
        return [
            Route("/health", _answer_health),
            Route("/tasks", _answer_tasks),
            Route("/tasks/{task:path}", self.describe_instance),
            Route("/episodes", self.open, methods=["POST"]),
            Route("/episodes", self.list_episodes),
            Route("/e/{id}", self.delete, methods=["DELETE"]),
            Route("/e/{id}/mcp", _McpAddress(self._episodes, self._mcp)),
            Route("/e/{id}/mcp/{server}", _McpAddress(self._episodes, self._mcp)),
            Route("/e/{id}/tools", self.tools),
            Route("/e/{id}/call", self.call, methods=["POST"]),
            Route("/e/{id}/fork", self.fork, methods=["POST"]),
            Route("/e/{id}/state_hash", self.state_hash),
            Route("/e/{id}/trace", self.trace),
            Route("/e/{id}/grade", self.grade, methods=["POST"]),
            Route("/seed_session", self.seed_session, methods=["POST"]),
            Route("/verify", self.verify, methods=["POST"]),
        ]

    @asynccontextmanager
    async def _open_lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = self._settings.threads
        async with AsyncExitStack() as stack:
            for app in self._mcp.values():
                await stack.enter_async_context(app.lifespan(app))
            yield

    async def open(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        body = await body_of(request, OpenBody)
        for name in ("faults", "feedback"):
            if getattr(body, name):
                raise Problem(f"{name!r} is not available yet; leave it out")
        task = with_distractors(find_task(body.task), body.seed, body.extra_servers)
        episode = await self._episodes.open(task, body.seed)
        return JSONResponse(await self._build_introduction(request, episode), 201)

    async def describe_instance(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        task, seed = request.path_params["task"], request.query_params.get("seed", "0")
        return JSONResponse(await to_thread.run_sync(described_instance, task, seed))

    async def seed_session(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        instance = (await body_of(request, Row)).find_instance()
        episode = await self._episodes.open(find_task(instance.task), instance.seed)
        response = JSONResponse(describe_session(episode))
        response.set_cookie(COOKIE, episode.id, httponly=True)
        return response

    async def verify(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        row = await body_of(request, FinishedRow)
        episode_id = request.cookies.get(COOKIE, "")
        if not episode_id:
            raise Problem(f"there is no session to verify; send the cookie {COOKIE} that /seed_session set")
        visit = await self._episodes.find_visit(episode_id, token_of(request), after_grading=True)
        return JSONResponse(make_verdict(row, await self._episodes.grade(visit.episode, row.answer())))

    async def fork(self, request: Request) -> Response:
        visit = await self._find_visit(request, after_grading=True)
        body = await body_of(request, ForkBody)
        forked = await self._episodes.fork(visit, body.at_call)
        return JSONResponse(await self._build_introduction(request, forked), 201)

    async def list_episodes(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        return JSONResponse({"episodes": await self._episodes.list_episodes()})

    async def tools(self, request: Request) -> Response:
        visit = await self._find_visit(request)
        form = request.query_params.get("format", "mcp")
        return JSONResponse({"tools": tools_as(form, await visit.episode.tools())})

    async def call(self, request: Request) -> Response:
        visit = await self._find_visit(request)
        body = await body_of(request, CallBody)
        reply = await visit.episode.call_async(body.name, body.arguments)
        content = adapt_result(reply.result).content if reply.result else []
        return JSONResponse(
            {
                "content": [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in content]
                or [{"type": "text", "text": reply.text}],
                "structured_content": reply.data if reply.result else None,
                "is_error": reply.is_error,
                "text": reply.text,
            }
        )

    async def state_hash(self, request: Request) -> Response:
        visit = await self._find_visit(request, after_grading=True)
        return JSONResponse({"state_hash": await in_turn(visit.episode, visit.episode.state_hash)})

    async def trace(self, request: Request) -> Response:
        visit = await self._find_visit(request, after_grading=True)
        form = request.query_params.get("format", "jsonl")
        text, media_type = await to_thread.run_sync(trace_of, visit.episode, form, visit.by_operator)
        return PlainTextResponse(text, media_type=media_type)

    async def grade(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        visit = await self._find_visit(request, after_grading=True)
        body = await body_of(request, GradeBody)
        grade = await self._episodes.grade(visit.episode, body.answer)
        return JSONResponse(grade.as_dict())

    async def delete(self, request: Request) -> Response:
        self._episodes.require_operator(token_of(request))
        visit = await self._find_visit(request, after_grading=True)
        await self._episodes.delete(visit.episode)
        return Response(status_code=204)

    async def _answer_unknown(self, scope: Scope, _receive: Receive, _send: Send) -> None:
        """Answer an unknown address. Below an episode (``..`` in its id included), only its visitors get a 404."""
        if scope["path"].startswith("/e/"):
            await self._episodes.find_visit(scope["path"].split("/")[2], token_of(Request(scope)), after_grading=True)
        raise HTTPException(404)

    async def _find_visit(self, request: Request, *, after_grading: bool = False) -> Visit:
        return await self._episodes.find_visit(
            request.path_params["id"], token_of(request), after_grading=after_grading
        )

    async def _build_introduction(self, request: Request, episode: Episode) -> dict[str, Any]:
        """The data that an agent's runner needs to start."""
        own = request.base_url.replace(port=self._settings.own_port) if self._settings.own_port else request.base_url
        base = (self._settings.public_url or str(own)).rstrip("/")
        return {
            "episode_id": episode.id,
            "token": episode.token,
            "mcp_url": f"{base}/e/{episode.id}/mcp",
            "prompt": episode.prompt,
            "tools_sha256": await self._digest_tools(episode),
            "now": episode.world.now.isoformat(),
        }

    async def _digest_tools(self, episode: Episode) -> str:
        task = episode.task
        offered = (task.servers, task.dialect, task.tools, task.extra_servers)
        if offered not in self._digests:
            self._digests[offered] = tools_digest(await episode.tools())
        return self._digests[offered]


class _McpAddress:
    """All of an episode's tools, or those of one server, over MCP. The episode is in the path, never in a session."""

    def __init__(self, episodes: Episodes, mcp: Mapping[str, ASGIApp]) -> None:
        self._episodes = episodes
        self._mcp = mcp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        visit = await self._episodes.find_visit(request.path_params["id"], token_of(request))
        server = request.path_params.get("server")
        servers = visit.episode.task.servers
        if server is not None and server not in servers:
            raise HTTPException(404, f"the episode has no server {server[:40]!r}; it has {', '.join(servers)}")
        episode_was = current_episode.set(visit.episode)
        servers_were = current_servers.set(frozenset([server] if server else servers))
        try:
            await self._mcp[visit.episode.task.dialect](
                {**scope, "path": "/mcp", "raw_path": b"/mcp", "root_path": ""}, receive, send
            )
        finally:
            current_servers.reset(servers_were)
            current_episode.reset(episode_was)


async def _answer_health(_request: Request) -> Response:
    return JSONResponse({"status": "ok", "version": get_version()})


def _answer_tasks(_request: Request) -> Response:
    return JSONResponse({"tasks": listed_tasks()})


def _answer_refusal(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - for the type checker: registered for it alone
    return JSONResponse(
        {"error": _REFUSAL_TEXTS.get(error.detail, error.detail)}, error.status_code, headers=error.headers
    )


def _answer_problem(_request: Request, error: Exception) -> Response:
    full = is_full(error.__cause__)
    # 507 (insufficient storage): the disk is full, and the request itself was right.
    return JSONResponse({"error": str(error)}, 507 if full else 400)


def _answer_crash(_request: Request, _error: Exception) -> Response:
    # The server that runs this app logs the traceback; the client must not see it.
    return JSONResponse({"error": "the gateway failed on this request; its log on stderr says why"}, 500)


_REFUSAL_TEXTS = {
    "Not Found": "this address does not exist; the routes are /episodes, /tasks, /tasks/<task>, /health, "
    "/seed_session, /verify and, below /e/<id>: mcp, mcp/<server>, tools, call, fork, state_hash, trace, grade",
    "Method Not Allowed": "this address does not take that HTTP method; the Allow header names those it takes",
}
"""Starlette's own refusals, in words that help."""
