"""The tools of the `forms` server."""

from typing import Annotated

from pydantic import Field

from yardkit.apps.forms import Kind, Question
from yardkit.kit.surface import make_server, tool
from yardkit.servers.forms import engine
from yardkit.world import current_world

mcp = make_server(
    "forms",
    "Questionnaires of the workspace's owner and people's responses. Numbers of forms, questions "
    "and responses never change; a form takes responses until it is closed.",
)

FormId = Annotated[int, Field(description="Number of the form, from list_forms.", ge=1)]
QuestionId = Annotated[int, Field(description="Number of the question, from read_form.", ge=1)]
Line = Annotated[str, Field(min_length=1, max_length=engine.MAX_LINE)]
Choices = Annotated[list[Line], Field(max_length=engine.MAX_CHOICES)]
Place = Annotated[int | None, Field(description="Position among the questions, from 1; by default last.", ge=1)]
Offset = Annotated[int, Field(description="Records to skip; use next_offset of the previous page.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]
KINDS = (
    "text; choice: one of the choices; choices: any of them; number; date. By default choice if "
    "there are choices, else text."
)


@tool(mcp, bulk=True)
def list_forms(
    query: Annotated[
        str, Field(description="Words that must all occur in the title or description.", max_length=1_000)
    ] = "",
    state: Annotated[engine.State, Field(description="open: those that accept responses.")] = "any",
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Forms:
    """List questionnaires, newest first, with their question and response counts."""
    return engine.find_forms(current_world(), query, state, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_form(
    title: Annotated[Line, Field(description="Title shown at the top.")],
    description: Annotated[str, Field(description="Text shown below the title.", max_length=5_000)] = "",
    questions: Annotated[
        list[engine.NewQuestion],
        Field(description=f"Questions in order: text, kind?, choices?, required?. kind: {KINDS}"),
    ] = [],  # noqa: B006 - never changed
) -> engine.FormView:
    """Create a questionnaire, which is open at once; questions can be added later."""
    return engine.create_form(current_world(), title, description, questions)


@tool(mcp, bulk=True)
def read_form(form_id: FormId, offset: Offset = 0) -> engine.FormView:
    """Read a questionnaire: its questions in order, and its response count."""
    return engine.read_form(current_world(), form_id, offset)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def add_question(
    form_id: FormId,
    text: Annotated[Line, Field(description="Text of the question.")],
    kind: Annotated[Kind | None, Field(description=KINDS)] = None,
    choices: Annotated[Choices, Field(description="Answers to choose from, in order.")] = [],  # noqa: B006
    required: Annotated[bool, Field(description="Require an answer.")] = False,
    position: Place = None,
) -> Question:
    """Add a question to a questionnaire."""
    question = engine.NewQuestion(text, kind, choices, required)
    return engine.add_question(current_world(), form_id, question, position)


@tool(mcp, bulk=True, writes=True, destructive=True)
def change_question(
    question_id: QuestionId,
    text: Annotated[Line | None, Field(description="New text of the question.")] = None,
    kind: Annotated[Kind | None, Field(description="text, choice, choices, number or date.")] = None,
    choices: Annotated[Choices | None, Field(description="All choices in their new order.")] = None,
    required: Annotated[bool | None, Field(description="Require an answer.")] = None,
    position: Annotated[int | None, Field(description="New position among the questions, from 1.", ge=1)] = None,
) -> Question:
    """Change the given fields of a question; existing answers are kept."""
    return engine.change_question(current_world(), question_id, text, kind, choices, required, position)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_question(
    question_id: QuestionId,
    discard_answers: Annotated[bool, Field(description="Delete it and its answers, if it has any.")] = False,
) -> engine.Deleted:
    """Delete a question from its questionnaire."""
    return engine.delete_question(current_world(), question_id, discard_answers=discard_answers)


@tool(mcp, bulk=True, writes=True)
def close_form(
    form_id: FormId,
    reopen: Annotated[bool, Field(description="Reopen it instead.")] = False,
) -> engine.FormLine:
    """Close a questionnaire, so that it takes no more responses, or reopen it."""
    return engine.close_form(current_world(), form_id, reopen=reopen)


@tool(mcp, bulk=True)
def list_responses(
    form_id: Annotated[int | None, Field(description="Form; by default all.", ge=1)] = None,
    since: Annotated[str, Field(description="Earliest date or time (ISO 8601).", max_length=40)] = "",
    until: Annotated[str, Field(description="Latest date or time; a date includes that day.", max_length=40)] = "",
    newest_first: Annotated[bool, Field(description="List the newest first; otherwise the oldest.")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Responses:
    """List responses, with the questions that the answers' numbers refer to."""
    return engine.find_responses(
        current_world(), form_id, since, until, newest_first=newest_first, offset=offset, limit=limit
    )
