"""Before a real mail is sent, the client's user is asked, if the client can: both eras of the protocol."""

from collections.abc import Mapping
from typing import Any

from fastmcp.exceptions import ToolError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from mcp.types import CallToolRequestParams, ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, Field

from yardkit.servers.mail.backends import live_settings
from yardkit.servers.mail.engine import reading
from yardkit.world import Problem, current_world

SENDING = (
    "send_message",
    "reply_message",
    "forward_message",
    "send_draft",
    "send_email",
    "reply_email",
    "forward_email",
)
"""Tools that send, of ours and of the dialect; ``send_draft`` is in both."""
_MAX_DISPLAYED = 600
"""Characters of a mail that the question shows."""


class Confirmation(BaseModel):
    """What the user is asked for."""

    send: bool = Field(description="Send this email?")


class AskBeforeSending(Middleware):
    """Asks before a call of a tool that sends, where the mailbox is real and the settings do not say ``always``."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, Any]
    ) -> Any:
        """The tool's result, its refusal, or the question for a client that asks by itself."""
        name, arguments = context.message.name, context.message.arguments or {}
        try:
            settings = live_settings(current_world()) if name in SENDING else None
        except Problem as problem:
            raise ToolError(str(problem)) from problem
        if settings is None or settings.sending != "ask":
            return await call_next(context)
        answer = await _ask_user(context.fastmcp_context, _format_question(name, arguments))
        if isinstance(answer, InputRequiredResult):
            return answer
        if not answer:
            raise ToolError("the user declined to send this email; ask what to change")
        return await call_next(context)


async def _ask_user(ctx: Any, question: str) -> "bool | InputRequiredResult":
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        raise ToolError(
            "this client cannot ask its user, so nothing was sent; use save_draft to leave the email for "
            "the user to send, or set YARDKIT_MAIL_SEND=always to send without asking"
        )
    if ctx.request_context.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        elicited = await ctx.elicit(question, Confirmation)
        return bool(elicited.action == "accept" and elicited.data.send)
    if not ctx.input_responses:
        form = ElicitRequestFormParams(message=question, requested_schema=Confirmation.model_json_schema())
        return InputRequiredResult(input_requests={"send": ElicitRequest(params=form)})
    user_response = ctx.input_responses["send"]
    return bool(user_response.action == "accept" and (user_response.content or {}).get("send"))


def _format_question(name: str, arguments: Mapping[str, Any]) -> str:
    """What is about to be sent, to whom."""
    heads = [(key, arguments.get(key)) for key in ("to", "cc", "bcc", "subject", "attachments") if arguments.get(key)]
    lines = [f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}" for key, value in heads]
    number = arguments.get("message_id") or arguments.get("email_id")
    if number and str(number).isdigit():
        lines += _of_message(int(number), name)
    text = str(arguments.get("text") or arguments.get("body") or "")
    return "\n".join(["Send this mail?", *lines, "", text[:_MAX_DISPLAYED]]).rstrip()


def _of_message(number: int, name: str) -> list[str]:
    try:
        view = reading.view_message(current_world(), number)
    except Problem:
        return []  # the tool says what is wrong
    if "draft" in name:
        return [
            f"to: {', '.join([*view.to, *view.cc, *view.bcc])}",
            f"subject: {view.subject}",
            "",
            view.text[:_MAX_DISPLAYED],
        ]
    return [f"{'forwards' if 'forward' in name else 'answers'}: {view.subject}, from {view.sender}"]
