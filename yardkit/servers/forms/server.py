"""The tools of the `forms` server."""

from typing import Annotated

from pydantic import Field

from yardkit.apps.forms import Kind, Question
from yardkit.kit.surface import make_server, tool
from yardkit.servers.forms import engine
from yardkit.world import current_world

mcp = make_server(
    "forms",
    "Questionnaires of the owner of the workspace and what people answered. Forms, questions and responses have "
    "numbers, which stay the same; people answer a form until it is closed.",
)

FormId = Annotated[int, Field(description="Number of the form, from list_forms.", ge=1)]
QuestionId = Annotated[int, Field(description="Number of the question, from read_form.", ge=1)]
Line = Annotated[str, Field(min_length=1, max_length=engine.MAX_LINE)]
Choices = Annotated[list[Line], Field(max_length=engine.MAX_CHOICES)]
Place = Annotated[int | None, Field(description="Place among the questions, from 1; by default the last.", ge=1)]
Offset = Annotated[int, Field(description="Records to skip; take next_offset of the page before.", ge=0)]
Limit = Annotated[int, Field(description="Records per page.", ge=1, le=200)]
KINDS = (
    "text; choice: one of the choices; choices: any of them; number; date. By default choice where there are choices, "
    "else text."
)


@tool(mcp, bulk=True)
def list_forms(
    query: Annotated[
        str, Field(description="Words that all stand in the title or description.", max_length=1_000)
    ] = "",
    state: Annotated[engine.State, Field(description="open: those that take responses.")] = "any",
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Forms:
    """List questionnaires, newest first, with their numbers of questions and responses."""
    return engine.find_forms(current_world(), query, state, offset, limit)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def create_form(
    title: Annotated[Line, Field(description="What people see at its top.")],
    description: Annotated[str, Field(description="What people read below the title.", max_length=5_000)] = "",
    questions: Annotated[
        list[engine.NewQuestion],
        Field(description=f"Its questions in order: text, kind?, choices?, required?. kind: {KINDS}"),
    ] = [],  # noqa: B006 - never changed
) -> engine.FormView:
    """Make a questionnaire, open at once; questions can also be added later."""
    return engine.create_form(current_world(), title, description, questions)


@tool(mcp, bulk=True)
def read_form(form_id: FormId, offset: Offset = 0) -> engine.FormView:
    """Show a questionnaire: its questions in their order, and how many people answered."""
    return engine.read_form(current_world(), form_id, offset)


@tool(mcp, bulk=True, writes=True, idempotent=False)
def add_question(
    form_id: FormId,
    text: Annotated[Line, Field(description="The question.")],
    kind: Annotated[Kind | None, Field(description=KINDS)] = None,
    choices: Annotated[Choices, Field(description="Answers to choose from, in order.")] = [],  # noqa: B006
    required: Annotated[bool, Field(description="Whether it must be answered.")] = False,
    position: Place = None,
) -> Question:
    """Add a question to a questionnaire."""
    question = engine.NewQuestion(text, kind, choices, required)
    return engine.add_question(current_world(), form_id, question, position)


@tool(mcp, bulk=True, writes=True, destructive=True)
def change_question(
    question_id: QuestionId,
    text: Annotated[Line | None, Field(description="The question in other words.")] = None,
    kind: Annotated[Kind | None, Field(description="text, choice, choices, number or date.")] = None,
    choices: Annotated[Choices | None, Field(description="All choices in their new order.")] = None,
    required: Annotated[bool | None, Field(description="Whether it must be answered.")] = None,
    position: Annotated[int | None, Field(description="New place among the questions, from 1.", ge=1)] = None,
) -> Question:
    """Change a question; what is not given stays, and answers that were given stay as they are."""
    return engine.change_question(current_world(), question_id, text, kind, choices, required, position)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_question(
    question_id: QuestionId,
    discard_answers: Annotated[bool, Field(description="Delete it although it has answers, and these too.")] = False,
) -> engine.Deleted:
    """Delete a question from its questionnaire."""
    return engine.delete_question(current_world(), question_id, discard_answers=discard_answers)


@tool(mcp, bulk=True, writes=True)
def close_form(
    form_id: FormId,
    reopen: Annotated[bool, Field(description="Take responses again instead.")] = False,
) -> engine.FormLine:
    """Close a questionnaire: from now on it takes no responses."""
    return engine.close_form(current_world(), form_id, reopen=reopen)


@tool(mcp, bulk=True)
def list_responses(
    form_id: Annotated[int | None, Field(description="Only of this form.", ge=1)] = None,
    since: Annotated[str, Field(description="Only from this date or time (ISO 8601) on.", max_length=40)] = "",
    until: Annotated[str, Field(description="Only to this date or time; the day itself counts.", max_length=40)] = "",
    newest_first: Annotated[bool, Field(description="Else the oldest come first.")] = False,
    offset: Offset = 0,
    limit: Limit = 50,
) -> engine.Responses:
    """List what people answered, with the questions that the numbers in the answers stand for."""
    return engine.find_responses(
        current_world(), form_id, since, until, newest_first=newest_first, offset=offset, limit=limit
    )
