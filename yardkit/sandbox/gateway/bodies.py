"""Reading requests: JSON bodies, refused with a clear message if they are wrong."""

import json
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import Request

from yardkit.world import Problem

MAX_SEED = 2**63 - 1


class Body(BaseModel):
    """A request body with exactly these fields and types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class OpenBody(Body):
    """``POST /episodes``."""

    task: str
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] = 0
    extra_servers: Annotated[int, Field(ge=0)] = 0
    faults: Any = None
    feedback: Any = None


class CallBody(Body):
    """``POST /e/<id>/call``."""

    name: str
    arguments: dict[str, Any] = {}


class ForkBody(Body):
    """``POST /e/<id>/fork``."""

    at_call: Annotated[int, Field(ge=0)] | None = None


class GradeBody(Body):
    """``POST /e/<id>/grade``."""

    answer: str = ""


EpisodeRequest = TypeVar("EpisodeRequest", bound=BaseModel)


async def body_of(request: Request, kind: type[EpisodeRequest]) -> EpisodeRequest:
    """Parse the JSON body; an empty body means ``{}``.

    Raises:
        Problem: it is not a JSON object, or a field is missing, unknown or of the wrong type.
    """
    text = await request.body()
    try:
        return kind.model_validate_json(text or b"{}")
    except ValidationError as error:
        raise Problem(f"the request body is wrong: {_format_reasons(error, kind)}") from error


def _format_reasons(error: ValidationError, kind: type[BaseModel]) -> str:
    reasons = []
    for detail in error.errors(include_url=False)[:5]:
        name = ".".join(str(part) for part in detail["loc"])
        given = "" if detail["type"] in ("missing", "json_invalid") else f" (given: {_shorten_value(detail['input'])})"
        reasons.append(f"{name}: {detail['msg']}{given}" if name else f"{detail['msg']}{given}")
    return f"{'; '.join(reasons)}. It is a JSON object with {', '.join(kind.model_fields)}"


def _shorten_value(value: Any) -> str:
    return json.dumps(value, default=str)[:100]
