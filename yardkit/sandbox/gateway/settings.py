"""The settings of an operator."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Limits of a gateway.

    Attributes:
        max_open: episodes that may be open (not graded, not deleted) at a time.
        max_body_bytes: largest request body; the MCP library takes no more than 4 MiB.
        max_rollout_bytes: largest body of the operator's ``/verify``, which contains a complete conversation.
        threads: tool calls and other blocking work that run at a time.
        public_url: how clients reach the gateway, such as ``https://yard.example``; by default as they addressed it.
        strict_hosts: accept only requests that name this machine's loopback interface, so that no web page gets in
            through a host name that it makes resolve to 127.0.0.1. If off, this still applies to requests over
            loopback.
        own_port: the port at which clients reach this process without the front; 0 if they cannot.
    """

    max_open: int = 2_000
    max_body_bytes: int = 4 << 20
    max_rollout_bytes: int = 256 << 20
    threads: int = 200
    public_url: str = ""
    strict_hosts: bool = True
    own_port: int = 0
