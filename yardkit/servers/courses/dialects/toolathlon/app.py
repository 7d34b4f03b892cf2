"""The server, the words for its arguments, and how it answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from pydantic import Field

from yardkit.kit.dialect import Offset, TextPage, cut_page
from yardkit.kit.surface import make_server
from yardkit.servers.courses.engine.school_view import Campus, open_campus
from yardkit.world import Problem, current_world

mcp = make_server("courses", "Canvas, the learning management system of a school, for the user whose token is set.")

CourseId = Annotated[int, Field(description="ID of the course.")]
AssignmentId = Annotated[int, Field(description="ID of the assignment.")]
QuizId = Annotated[int, Field(description="ID of the quiz.")]
ModuleId = Annotated[int, Field(description="ID of the module.")]
TopicId = Annotated[int, Field(description="ID of the discussion topic.")]
UserId = Annotated[int, Field(description="ID of the user.")]
AccountId = Annotated[int, Field(description="ID of the account.")]
Name = Annotated[str, Field(description="Its name.", max_length=500)]
NewName = Annotated[str | None, Field(description="Its new name.", max_length=500)]
Body = Annotated[str | None, Field(description="Text or HTML.", max_length=200_000)]
Time = Annotated[str | None, Field(description="Time in ISO 8601.", max_length=40)]
Points = Annotated[float | None, Field(description="Points that it is worth.", ge=0, le=1_000_000)]
YesNo = Annotated[bool | None, Field(description="Whether it is so.")]

__all__ = [
    "AccountId",
    "AssignmentId",
    "Body",
    "CourseId",
    "ModuleId",
    "Name",
    "NewName",
    "Offset",
    "Points",
    "QuizId",
    "Time",
    "TopicId",
    "UserId",
    "YesNo",
    "format_answer",
    "mcp",
    "open_for_changing",
    "open_for_reading",
    "require_values",
]


def require_values(**values: object) -> None:
    """Refuse empty values of arguments that are needed, in Canvas's words.

    Raises:
        Problem: one is empty or 0.
    """
    if any(value in (None, "", 0, []) for value in values.values()):
        *first, last = values
        together = f"{', '.join(first)}, and {last}" if len(first) > 1 else " and ".join(values)
        raise Problem(f"Missing required field{'s' if first else ''}: {together}")


@contextmanager
def open_for_reading() -> Iterator[Campus]:
    """The school, to read."""
    with open_campus(current_world()) as course_store:
        yield course_store


@contextmanager
def open_for_changing() -> Iterator[Campus]:
    """The school, to change; all or nothing."""
    with open_campus(current_world(), writes=True) as course_store:
        yield course_store


def format_answer(value: Any, offset: int = 0) -> TextPage:
    """An answer as indented JSON."""
    return cut_page(json.dumps(value, indent=2, ensure_ascii=False), offset)
