"""Assignments, submissions, grades, rubrics."""

from typing import Any

from yardkit.apps.courses import Assignment, AssignmentGroup, File, Rubric, SubmissionKind
from yardkit.compat.toolathlon.courses import objects
from yardkit.servers.courses.engine import contents, work
from yardkit.servers.courses.engine.school_view import Campus, time_of
from yardkit.world import InFile, Problem, current_world

_KINDS: dict[str, SubmissionKind] = {name: kind for kind, name in objects.SUBMISSION_TYPES.items()}
_FIELDS = {
    "due_at": "due", "points_possible": "points", "submission_types": "kinds", "allowed_extensions": "extensions"
}  # fmt: skip


def canvas_list_assignments(campus: Campus, course_id: int, include_submissions: bool = False) -> Any:
    assignments = work.find_assignments(campus, course_id)
    return [_with_submission(campus, assignment, include_submissions) for assignment in assignments]


def canvas_get_assignment(campus: Campus, course_id: int, assignment_id: int, include_submission: bool = False) -> Any:
    return _with_submission(campus, campus.get_course_record(Assignment, assignment_id, course_id), include_submission)


def canvas_create_assignment(campus: Campus, course_id: int, name: str, **others: Any) -> Any:
    new_assignment = work.save_assignment(campus, course_id, name=name, **_to_fields(others))
    return objects.build_assignment(campus, new_assignment)


def canvas_update_assignment(campus: Campus, course_id: int, assignment_id: int, **others: Any) -> Any:
    saved_assignment = work.save_assignment(campus, course_id, assignment_id, **_to_fields(others))
    return objects.build_assignment(campus, saved_assignment)


def _to_fields(others: dict[str, Any]) -> dict[str, Any]:
    """What is given of an assignment, as fields of ours."""
    fields = {_FIELDS.get(name, name): value for name, value in others.items()}
    if "due" in fields:
        fields["due"] = time_of(fields["due"], current_world())
    if "kinds" in fields:
        fields["kinds"] = _parse_kinds(fields["kinds"])
    return fields


def canvas_delete_assignment(campus: Campus, course_id: int, assignment_id: int) -> str:
    work.delete_assignment(campus, course_id, assignment_id)
    return f"Successfully deleted assignment {assignment_id} from course {course_id}"


def canvas_list_assignment_groups(campus: Campus, course_id: int) -> Any:
    campus.get_course(course_id)
    groups = campus.all(AssignmentGroup, "position", course_id=course_id)
    assignments = work.find_assignments(campus, course_id)
    return [
        objects.build_group(group)
        | {"assignments": [objects.build_assignment(campus, what) for what in assignments if what.group_id == group.id]}
        for group in groups
    ]


def canvas_get_submission(campus: Campus, course_id: int, assignment_id: int, user_id: int | None = None) -> Any:
    what = campus.get_course_record(Assignment, assignment_id, course_id)
    return objects.build_submission(campus, work.submission_of(campus, course_id, what.id, user_id), what)


def canvas_submit_assignment(
    campus: Campus,
    course_id: int,
    assignment_id: int,
    submission_type: str,
    body: str | None = None,
    url: str | None = None,
    file_ids: list[int] | None = None,
) -> Any:
    (kind,) = _parse_kinds([submission_type]) or ["none"]
    new_submission = work.submit_work(campus, course_id, assignment_id, kind, body or "", url or "", file_ids or [])
    return objects.build_submission(
        campus, new_submission, campus.get_course_record(Assignment, assignment_id, course_id)
    )


def canvas_submit_grade(
    campus: Campus, course_id: int, assignment_id: int, user_id: int, grade: float | str, comment: str | None = None
) -> Any:
    if not (course_id and assignment_id and user_id):
        raise Problem("Missing required fields for grade submission")
    graded_submission = work.grade_submission(campus, course_id, assignment_id, user_id, grade, comment or "")
    return objects.build_submission(
        campus, graded_submission, campus.get_course_record(Assignment, assignment_id, course_id)
    )


def canvas_upload_file_from_path(
    campus: Campus, file_path: InFile, course_id: int | None = None, folder_id: int | None = None
) -> Any:
    uploaded_file = contents.upload_file(campus, current_world(), file_path, course_id, folder_id)
    return objects.build_file(uploaded_file) | {"upload_status": "success"}


def canvas_submit_assignment_with_file(
    campus: Campus, course_id: int, assignment_id: int, file_path: InFile, comment: str | None = None
) -> Any:
    file: File = contents.upload_file(campus, current_world(), file_path, course_id)
    new_submission = work.submit_work(
        campus, course_id, assignment_id, "upload", files=[file.id], comment=comment or ""
    )
    return objects.build_submission(
        campus, new_submission, campus.get_course_record(Assignment, assignment_id, course_id)
    )


def canvas_list_rubrics(campus: Campus, course_id: int) -> Any:
    campus.get_course(course_id)
    return [objects.build_rubric(rubric) for rubric in campus.all(Rubric, course_id=course_id)]


def canvas_get_rubric(campus: Campus, course_id: int, rubric_id: int) -> Any:
    return objects.build_rubric(campus.get_course_record(Rubric, rubric_id, course_id))


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
