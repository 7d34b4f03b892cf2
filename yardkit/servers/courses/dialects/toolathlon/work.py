"""Assignments, submissions, grades, rubrics."""

from typing import Annotated, Any

from pydantic import Field

from yardkit.apps.courses import Assignment, AssignmentGroup, File, Rubric, SubmissionKind
from yardkit.kit.dialect import Text, TextPage
from yardkit.kit.surface import tool
from yardkit.servers.courses.dialects.toolathlon import objects
from yardkit.servers.courses.dialects.toolathlon.app import (
    AssignmentId,
    Body,
    CourseId,
    Name,
    NewName,
    Offset,
    Points,
    Time,
    UserId,
    YesNo,
    format_answer,
    mcp,
    open_for_changing,
    open_for_reading,
    require_values,
)
from yardkit.servers.courses.engine import contents, work
from yardkit.servers.courses.engine.school_view import Campus, time_of
from yardkit.world import InFile, Problem, current_world

Types = Annotated[list[str] | None, Field(description="Submission types, such as online_text_entry.", max_length=10)]
Comment = Annotated[str | None, Field(description="A comment.", max_length=20_000)]
LocalFile = Annotated[InFile, Field(description="Path of the file.")]
_KINDS: dict[str, SubmissionKind] = {name: kind for kind, name in objects.SUBMISSION_TYPES.items()}


@tool(mcp)
def canvas_list_assignments(
    course_id: CourseId,
    include_submissions: Annotated[bool, Field(description="With the user's own submissions.")] = False,
    offset: Offset = 0,
) -> TextPage:
    """List assignments for a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        assignments = work.find_assignments(campus, course_id)
        return format_answer(
            [_with_submission(campus, assignment, include_submissions) for assignment in assignments], offset
        )


@tool(mcp)
def canvas_get_assignment(
    course_id: CourseId,
    assignment_id: AssignmentId,
    include_submission: Annotated[bool, Field(description="With the user's own submission.")] = False,
) -> TextPage:
    """Get detailed information about a specific assignment."""
    require_values(course_id=course_id, assignment_id=assignment_id)
    with open_for_reading() as campus:
        return format_answer(
            _with_submission(campus, campus.get_course_record(Assignment, assignment_id, course_id), include_submission)
        )


@tool(mcp, writes=True, idempotent=False)
def canvas_create_assignment(
    course_id: CourseId,
    name: Name,
    description: Body = None,
    due_at: Time = None,
    points_possible: Points = None,
    submission_types: Types = None,
    allowed_extensions: Annotated[list[str] | None, Field(description="Of files, such as pdf.", max_length=50)] = None,
    published: YesNo = None,
) -> TextPage:
    """Create a new assignment in a Canvas course."""
    require_values(course_id=course_id, name=name)
    world = current_world()
    with open_for_changing() as campus:
        new_assignment = work.save_assignment(
            campus, course_id, name=name, description=description, due=time_of(due_at, world), points=points_possible,
            kinds=_parse_kinds(submission_types), extensions=allowed_extensions, published=published,
        )  # fmt: skip
        return format_answer(objects.build_assignment(campus, new_assignment))


@tool(mcp, writes=True, destructive=True)
def canvas_update_assignment(
    course_id: CourseId,
    assignment_id: AssignmentId,
    name: NewName = None,
    description: Body = None,
    due_at: Time = None,
    points_possible: Points = None,
    published: YesNo = None,
) -> TextPage:
    """Update an existing assignment."""
    require_values(course_id=course_id, assignment_id=assignment_id)
    world = current_world()
    with open_for_changing() as campus:
        saved_assignment = work.save_assignment(
            campus, course_id, assignment_id, name=name, description=description, due=time_of(due_at, world),
            points=points_possible, published=published,
        )  # fmt: skip
        return format_answer(objects.build_assignment(campus, saved_assignment))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def canvas_delete_assignment(course_id: CourseId, assignment_id: AssignmentId) -> Text:
    """Delete an assignment."""
    require_values(course_id=course_id, assignment_id=assignment_id)
    with open_for_changing() as campus:
        work.delete_assignment(campus, course_id, assignment_id)
    return Text(f"Successfully deleted assignment {assignment_id} from course {course_id}")


@tool(mcp)
def canvas_list_assignment_groups(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List assignment groups for a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        campus.get_course(course_id)
        groups = campus.all(AssignmentGroup, "position", course_id=course_id)
        assignments = work.find_assignments(campus, course_id)
        return format_answer(
            [
                objects.build_group(group)
                | {
                    "assignments": [
                        objects.build_assignment(campus, what) for what in assignments if what.group_id == group.id
                    ]
                }
                for group in groups
            ],
            offset,
        )


@tool(mcp)
def canvas_get_submission(
    course_id: CourseId,
    assignment_id: AssignmentId,
    user_id: Annotated[int | None, Field(description="ID of the user, by default one's own.")] = None,
) -> TextPage:
    """Get submission details for an assignment."""
    require_values(course_id=course_id, assignment_id=assignment_id)
    with open_for_reading() as campus:
        what = campus.get_course_record(Assignment, assignment_id, course_id)
        return format_answer(
            objects.build_submission(campus, work.submission_of(campus, course_id, what.id, user_id), what)
        )


@tool(mcp, writes=True, idempotent=False)
def canvas_submit_assignment(
    course_id: CourseId,
    assignment_id: AssignmentId,
    submission_type: Annotated[str, Field(description="online_text_entry, online_url or online_upload.")],
    body: Body = None,
    url: Annotated[str | None, Field(description="URL that is submitted.", max_length=2_000)] = None,
    file_ids: Annotated[list[int] | None, Field(description="IDs of files that were uploaded.", max_length=50)] = None,
) -> TextPage:
    """Submit work for an assignment."""
    require_values(course_id=course_id, assignment_id=assignment_id, submission_type=submission_type)
    (kind,) = _parse_kinds([submission_type]) or ["none"]
    with open_for_changing() as campus:
        new_submission = work.submit_work(campus, course_id, assignment_id, kind, body or "", url or "", file_ids or [])
        return format_answer(
            objects.build_submission(
                campus, new_submission, campus.get_course_record(Assignment, assignment_id, course_id)
            )
        )


@tool(mcp, writes=True, destructive=True)
def canvas_submit_grade(
    course_id: CourseId,
    assignment_id: AssignmentId,
    user_id: UserId,
    grade: Annotated[float | str, Field(description="Points, or a grade such as 85% or complete.")],
    comment: Comment = None,
) -> TextPage:
    """Submit a grade for a student's assignment (teacher only)."""
    if not (course_id and assignment_id and user_id):
        raise Problem("Missing required fields for grade submission")
    with open_for_changing() as campus:
        graded_submission = work.grade_submission(campus, course_id, assignment_id, user_id, grade, comment or "")
        return format_answer(
            objects.build_submission(
                campus, graded_submission, campus.get_course_record(Assignment, assignment_id, course_id)
            )
        )


@tool(mcp, writes=True, idempotent=False)
def canvas_upload_file_from_path(
    file_path: LocalFile,
    course_id: Annotated[int | None, Field(description="ID of the course.")] = None,
    folder_id: Annotated[int | None, Field(description="ID of the folder.")] = None,
) -> TextPage:
    """Upload a file from local filesystem to Canvas."""
    with open_for_changing() as campus:
        uploaded_file = contents.upload_file(campus, current_world(), file_path, course_id, folder_id)
        return format_answer(objects.build_file(uploaded_file) | {"upload_status": "success"})


@tool(mcp, writes=True, idempotent=False)
def canvas_submit_assignment_with_file(
    course_id: CourseId, assignment_id: AssignmentId, file_path: LocalFile, comment: Comment = None
) -> TextPage:
    """Submit an assignment with a local file upload."""
    require_values(course_id=course_id, assignment_id=assignment_id, file_path=file_path)
    with open_for_changing() as campus:
        file: File = contents.upload_file(campus, current_world(), file_path, course_id)
        new_submission = work.submit_work(
            campus, course_id, assignment_id, "upload", files=[file.id], comment=comment or ""
        )
        return format_answer(
            objects.build_submission(
                campus, new_submission, campus.get_course_record(Assignment, assignment_id, course_id)
            )
        )


@tool(mcp)
def canvas_list_rubrics(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List rubrics for a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        campus.get_course(course_id)
        return format_answer(
            [objects.build_rubric(rubric) for rubric in campus.all(Rubric, course_id=course_id)], offset
        )


@tool(mcp)
def canvas_get_rubric(
    course_id: CourseId, rubric_id: Annotated[int, Field(description="ID of the rubric.")]
) -> TextPage:
    """Get details of a specific rubric."""
    require_values(course_id=course_id, rubric_id=rubric_id)
    with open_for_reading() as campus:
        return format_answer(objects.build_rubric(campus.get_course_record(Rubric, rubric_id, course_id)))


def _with_submission(campus: Campus, assignment: Assignment, with_submissions: bool) -> dict[str, Any]:
    assignment_data = objects.build_assignment(campus, assignment)
    if with_submissions:
        own = work.submission_of(campus, assignment.course_id, assignment.id)
        assignment_data["submission"] = objects.build_submission(campus, own, assignment)
    return assignment_data


def _parse_kinds(types: list[str] | None) -> list[SubmissionKind] | None:
    if types is None:
        return None
    if unknown := [kind_name for kind_name in types if kind_name not in _KINDS]:
        raise Problem(f"there is no submission type {unknown[0]!r}; there are {', '.join(_KINDS)}")
    return [_KINDS[kind_name] for kind_name in types]
