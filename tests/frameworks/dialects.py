"""How models are spoken to: what a scripted model answers in each dialect, and what stands in a request for it."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

Turn = Sequence[tuple[str, Mapping[str, Any]]]
"""Calls that a model makes at once: tools and arguments."""


class Dialect(Protocol):
    """One API of models."""

    def list_tool_names(self, request: Mapping[str, Any]) -> list[str]:
        """The names of the tools in a request."""

    def list_result_texts(self, request: Mapping[str, Any]) -> list[str]:
        """The texts of the tool results in a request."""

    def list_pictures(self, request: Mapping[str, Any]) -> list[bytes]:
        """The pictures that stand in a request as pictures."""

    def make_call_response(self, calls: Turn, number: int) -> dict[str, Any]:
        """The response that makes calls, in the turn of this number."""

    def make_text_response(self, text: str) -> dict[str, Any]:
        """The response that is an answer."""

    def stream_response(self, reply: Mapping[str, Any]) -> bytes:
        """A response as server-sent events."""


class Chat:
    """OpenAI's Chat Completions."""

    def list_tool_names(self, request: Mapping[str, Any]) -> list[str]:
        return [tool["function"]["name"] for tool in request.get("tools", [])]

    def list_result_texts(self, request: Mapping[str, Any]) -> list[str]:
        # Some frameworks tell of results in the words of the user; the first of those is the prompt.
        replies = [message for message in request["messages"] if message["role"] in ("tool", "user")][1:]
        return [_text_of(message["content"]) for message in replies]

    def list_pictures(self, request: Mapping[str, Any]) -> list[bytes]:
        parts = [part for message in request["messages"] for part in _list_parts(message.get("content"))]
        return list(_data_of(part["image_url"]["url"] for part in parts if part.get("type") == "image_url"))

    def make_call_response(self, calls: Turn, number: int) -> dict[str, Any]:
        tool_calls = [
            {
                "id": f"call_{number}_{index}",
                "type": "function",
                "function": {"name": tool, "arguments": json.dumps(arguments)},
            }
            for index, (tool, arguments) in enumerate(calls)
        ]
        return self._make_completion({"role": "assistant", "content": None, "tool_calls": tool_calls}, "tool_calls")

    def make_text_response(self, text: str) -> dict[str, Any]:
        return self._make_completion({"role": "assistant", "content": text}, "stop")

    def _make_completion(self, message: dict[str, Any], reason: str) -> dict[str, Any]:
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }

    def stream_response(self, reply: Mapping[str, Any]) -> bytes:
        choice = reply["choices"][0]
        message = {"tool_calls": [], **choice["message"]}
        calls = [{"tool_calls": [{"index": index, **call}]} for index, call in enumerate(message.pop("tool_calls"))]
        head = {**reply, "object": "chat.completion.chunk", "usage": None}
        chunks = [
            *(
                {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
                for delta in [message, *calls]
            ),
            {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
            {**head, "choices": [], "usage": reply["usage"]},
        ]
        return b"".join(_format_event(chunk) for chunk in chunks) + b"data: [DONE]\n\n"


class Responses:
    """OpenAI's Responses."""

    def list_tool_names(self, request: Mapping[str, Any]) -> list[str]:
        return [tool["name"] for tool in request.get("tools", []) if tool["type"] == "function"]

    def list_result_texts(self, request: Mapping[str, Any]) -> list[str]:
        return [_text_of(result["output"]) for result in self._list_results(request)]

    def list_pictures(self, request: Mapping[str, Any]) -> list[bytes]:
        contents = [item.get("output", item.get("content")) for item in _list_parts(request["input"])]
        parts = [part for content in contents for part in _list_parts(content)]
        return list(_data_of(part["image_url"] for part in parts if part.get("type") == "input_image"))

    def _list_results(self, request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        return [item for item in _list_parts(request["input"]) if item.get("type") == "function_call_output"]

    def make_call_response(self, calls: Turn, number: int) -> dict[str, Any]:
        return self._make_response(
            [
                {
                    "type": "function_call",
                    "id": f"fc_{number}_{index}",
                    "call_id": f"call_{number}_{index}",
                    "name": tool,
                    "arguments": json.dumps(arguments),
                    "status": "completed",
                }
                for index, (tool, arguments) in enumerate(calls)
            ]
        )

    def make_text_response(self, text: str) -> dict[str, Any]:
        text_part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text_part]}
        return self._make_response([message])

    def _make_response(self, output: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": "scripted",
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 100,
                "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
                "output_tokens": 10,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 110,
            },
        }

    def stream_response(self, reply: Mapping[str, Any]) -> bytes:
        return _format_event({"type": "response.completed", "sequence_number": 0, "response": reply})


class Gemini:
    """Google's generateContent."""

    def list_tool_names(self, request: Mapping[str, Any]) -> list[str]:
        declared = [tool.get("functionDeclarations", []) for tool in request.get("tools", [])]
        return [function["name"] for functions in declared for function in functions]

    def list_result_texts(self, request: Mapping[str, Any]) -> list[str]:
        return [json.dumps(part["functionResponse"]["response"]) for part in self._list_responses(request)]

    def list_pictures(self, request: Mapping[str, Any]) -> list[bytes]:
        within = [
            inner for part in self._list_responses(request) for inner in part["functionResponse"].get("parts", [])
        ]
        data = [
            part["inlineData"]["data"] for part in [*self._list_all_parts(request), *within] if "inlineData" in part
        ]
        return [base64.b64decode(text.replace("-", "+").replace("_", "/")) for text in data]

    def _list_all_parts(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [part for content in request["contents"] for part in content["parts"]]

    def _list_responses(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [part for part in self._list_all_parts(request) if "functionResponse" in part]

    def make_call_response(self, calls: Turn, number: int) -> dict[str, Any]:
        return self._make_candidate([{"functionCall": {"name": tool, "args": arguments}} for tool, arguments in calls])

    def make_text_response(self, text: str) -> dict[str, Any]:
        return self._make_candidate([{"text": text}])

    def _make_candidate(self, parts: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
            "modelVersion": "scripted",
        }

    def stream_response(self, reply: Mapping[str, Any]) -> bytes:
        return _format_event(reply)


DIALECTS: dict[str, Dialect] = {"/chat/completions": Chat(), "/responses": Responses(), "enerateContent": Gemini()}
"""By what stands in the path."""


def _format_event(body: Mapping[str, Any]) -> bytes:
    kind = f"event: {body['type']}\n" if "type" in body else ""
    return f"{kind}data: {json.dumps(body)}\n\n".encode()


def _list_parts(content: Any) -> list[dict[str, Any]]:
    """The parts of a content that may be plain text."""
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in _list_parts(content))


def _data_of(addresses: Any) -> Iterator[bytes]:
    for address in addresses:
        head, _, data = address.partition(";base64,")
        if head.startswith("data:image/"):
            yield base64.b64decode(data)
