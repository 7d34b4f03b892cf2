"""The stdio counterpart of the gateway: one process, one episode."""

from collections.abc import Collection

from yardkit.sandbox.episodes.episode import Episode
from yardkit.sandbox.episodes.toolset import build_toolset, current_episode, current_servers
from yardkit.sandbox.serving.workspace_server import run_stdio


def serve_episode_stdio(episode: Episode, servers: Collection[str] = (), warning: str = "") -> None:
    """Serve on stdin and stdout until stdin closes, with the tools of `servers` (all of the task's if empty).

    A `warning` is appended to the server's instructions to its client.
    """
    current_episode.set(episode)
    current_servers.set(frozenset(servers))
    server = build_toolset(episode.task)
    if warning:
        server.instructions = f"{server.instructions}\n\n{warning}"
    run_stdio(server)
