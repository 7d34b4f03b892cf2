"""Assignments, what is handed in, grades; quizzes and attempts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.answers import Call
from support.schools import SAM, SUE, TIM

from yardkit.apps.courses import APP, RECORDS, Assignment, AssignmentGroup, Submission
from yardkit.apps.store import open_store
from yardkit.world import World

Acting = Callable[[int], None]
ESSAY, PROJECT, QUIZ = 1, 2, 1


def test_work_is_handed_in_again_and_late_and_keeps_its_grade(
    done: Call, refused: Call, acting: Acting, files: Path
) -> None:
    (files / "essay.pdf").write_bytes(b"%PDF-1.4")
    (files / "essay.txt").write_text("x")
    acting(SUE)
    assert "is not an accepted file type" in refused(
        "submit_assignment", course_id=1, assignment_id=ESSAY, attachments=["essay.txt"]
    )
    assert "it accepts text, upload" in refused(
        "submit_assignment", course_id=1, assignment_id=ESSAY, url="https://x.example"
    )
    assert "submit exactly one of text, url or attachments" in refused(
        "submit_assignment", course_id=1, assignment_id=ESSAY
    )
    first = done("submit_assignment", course_id=1, assignment_id=ESSAY, attachments=["essay.pdf"], comment="Sorry")
    assert (first["attempt"], first["kind"], len(first["files"])) == (1, "upload", 1)
    acting(TIM)
    late = done("find_submissions", course_id=1, assignment_id=ESSAY, state="late")["submissions"]
    assert [submission["name"] for submission in late] == ["Sam Lindt", "Sue Lind"]
    done("grade_submission", course_id=1, assignment_id=ESSAY, user_id=SUE, grade="85%", comment="Good")
    assert [
        submission["name"] for submission in done("find_submissions", course_id=1, state="ungraded")["submissions"]
    ] == ["Sam Lindt"]
    acting(SUE)
    again = done("submit_assignment", course_id=1, assignment_id=ESSAY, text="Better")
    assert (again["attempt"], again["score"], again["grade"]) == (2, 17.0, "85%")
    assert [comment["text"] for comment in again["comments"]] == ["Sorry", "Good"]


def test_grades_are_points_percent_words_and_what_is_none_is_refused(done: Call, refused: Call, acting: Acting) -> None:
    acting(TIM)
    grade = {"course_id": 1, "assignment_id": ESSAY, "user_id": SAM}
    for grade_text, score in (("12.5", 12.5), ("50%", 10.0), ("complete", 20.0), ("incomplete", 0.0)):
        assert done("grade_submission", **grade, grade=grade_text)["score"] == score
    assert done("grade_submission", **grade, grade="excused")["excused"] is True
    for grade_text, why in (
        ("-1", "is not a valid number of points"),
        ("good", "is not a valid grade"),
        ("nan", "is not a valid number of points"),
    ):
        assert why in refused("grade_submission", **grade, grade=grade_text)
    assert "is not a student of course 1" in refused(
        "grade_submission", course_id=1, assignment_id=ESSAY, user_id=TIM, grade="1"
    )
    assert "give a grade, a comment" in refused("grade_submission", **grade)


def test_a_time_that_no_clock_shows_is_refused(refused: Call, acting: Acting) -> None:
    acting(TIM)
    for due in ("0001-01-01T00:00:00+05:00", "9999-12-31T23:59:00-05:00", "soon"):
        assert "is not a valid date or time" in refused("save_assignment", course_id=1, name="Far", due=due)


def test_a_report_counts_what_is_graded_by_the_weights_of_groups(done: Call, acting: Acting) -> None:
    acting(SAM)
    attempt = done("take_quiz", course_id=1, quiz_id=QUIZ)["attempt"]["id"]
    done("take_quiz", course_id=1, quiz_id=QUIZ, attempt=attempt, responses={"1": 1, "2": "9"})
    acting(TIM)
    done("grade_submission", course_id=1, assignment_id=ESSAY, user_id=SAM, grade="16")
    sue, sam = done("report_grades", course_id=1)["grades"]
    assert (sue["name"], sue.get("percent"), sue["missing"]) == ("Sue Lind", None, 1)
    assert (sam["points"], sam["possible"], sam["late"], sam["missing"]) == (17.0, 23.0, 1, 0)
    assert sam["percent"] == 61.33  # 60 % of 16/20 and 40 % of 1/3


@pytest.mark.parametrize(
    ("weights", "percent"),
    [((60.0, 40.0, 0.0), 84.0), ((60.0, 0.0, 0.0), 80.0), ((0.0, 0.0, 0.0), 56.67), ((60.0, 50.0, 0.0), 93.0)],
)
def test_a_group_that_weighs_nothing_does_not_count(
    weights: tuple[float, ...], percent: float, done: Call, acting: Acting, world: World
) -> None:
    acting(TIM)
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for number, (weight, points) in enumerate(zip(weights, (8, 9, 0), strict=True), start=1):
            store.put(AssignmentGroup(number, 1, f"Group {number}", number, weight))
            store.put(Assignment(100 + number, 1, number, "Work", "", None, 10.0, ["text"], [], published=True))
            store.put(Submission(100 + number, 100 + number, SAM, score=float(points), grade=str(points)))
    grades = done("report_grades", course_id=1)["grades"]
    assert next(grade for grade in grades if grade["user_id"] == SAM)["percent"] == percent


def test_assignments_are_made_changed_and_deleted_with_what_was_handed_in(
    done: Call, refused: Call, acting: Acting
) -> None:
    acting(TIM)
    assignment = done(
        "save_assignment",
        course_id=1,
        name="Lab",
        due="2026-04-01",
        points=10,
        submission_kinds=["text"],
        published=True,
    )
    assert (assignment["due"], assignment["group_id"], assignment["kinds"]) == ("2026-04-01T23:59:00Z", 1, ["text"])
    changed = done("save_assignment", course_id=1, assignment_id=assignment["id"], due="2026-04-02T12:00+02:00")
    assert (changed["due"], changed["points"]) == ("2026-04-02T10:00:00Z", 10.0)
    done("save_assignment", course_id=1, assignment_id=ESSAY, discard=True)
    assert done("find_submissions", course_id=1)["submissions"] == []
    assert "a new assignment needs a name" in refused("save_assignment", course_id=1)
    assert "there is no rubric 9" in refused("save_assignment", course_id=1, name="x", rubric=9)


def test_a_quiz_is_made_with_questions_and_its_assignment_keeps_in_step(
    done: Call, refused: Call, acting: Acting
) -> None:
    acting(TIM)
    choice = {"text": "Sky?", "answers": [{"text": "blue", "weight": 100}, {"text": "red"}], "points": 2}
    quiz = done(
        "save_quiz",
        course_id=1,
        title="Test",
        due="2026-04-01",
        published=True,
        questions=[choice, {"text": "Why?", "points": 3}],
    )
    assert (quiz["points"], [question["kind"] for question in quiz["questions"]]) == (5.0, ["multiple_choice", "essay"])
    (work,) = done("find_assignments", course_id=1, query="test")["assignments"]
    assert (work["points"], work["due"], work["kinds"], work["quiz_id"]) == (
        5.0,
        "2026-04-01T23:59:00Z",
        ["quiz"],
        quiz["quiz"]["id"],
    )
    number = quiz["questions"][1]["id"]
    changed = done(
        "save_quiz", course_id=1, quiz_id=quiz["quiz"]["id"], title="Test 2", questions=[{"id": number, "delete": True}]
    )
    assert (changed["points"], changed["quiz"]["title"]) == (2.0, "Test 2")
    assert done("find_assignments", course_id=1, query="test 2")["assignments"][0]["points"] == 2.0
    for wrong, message in (
        ({"text": "x", "answers": [{"text": "a"}, {"text": "b"}]}, "needs two answers, one of them correct"),
        ({"text": "x", "kind": "riddle"}, "is not a kind of question"),
        ({"question": "x"}, "a question has no field question"),
        ({"answers": []}, "needs a text"),
    ):
        assert message in refused("save_quiz", course_id=1, quiz_id=QUIZ, questions=[wrong])


def test_an_attempt_shows_no_right_answers_and_is_graded_once(done: Call, refused: Call, acting: Acting) -> None:
    acting(SUE)
    begun = done("take_quiz", course_id=1, quiz_id=QUIZ)
    assert begun["ends"] == "2026-03-16T09:30:00Z"
    assert [question.get("answers", []) for question in begun["questions"]] == [
        [{"id": 1, "text": "2"}, {"id": 2, "text": "3"}],
        [],
    ]
    assert done("take_quiz", course_id=1, quiz_id=QUIZ)["attempt"]["id"] == begun["attempt"]["id"]
    done_once = done("take_quiz", course_id=1, quiz_id=QUIZ, responses={"1": "2", "2": "3.14"})["attempt"]
    assert (done_once["score"], done_once["number"]) == (3.0, 1)
    assert "was submitted at" in refused(
        "take_quiz", course_id=1, quiz_id=QUIZ, attempt=done_once["id"], responses={"1": 1}
    )
    second = done("take_quiz", course_id=1, quiz_id=QUIZ, responses={"1": 2})["attempt"]
    assert second["score"] == 0.0
    assert "has used all 2 attempts at the quiz" in refused("take_quiz", course_id=1, quiz_id=QUIZ)
    (mine,) = done("find_submissions", course_id=1)["submissions"]
    assert (mine["submission"]["score"], mine["submission"]["attempt"]) == (3.0, 2)  # the best counts
    assert "has no question 9" in _refused_by_other(refused, acting)


def _refused_by_other(refused: Call, acting: Acting) -> str:
    acting(SAM)
    message: str = refused("take_quiz", course_id=1, quiz_id=QUIZ, responses={"9": 1})
    return message


def test_an_essay_waits_for_a_teacher(done: Call, acting: Acting) -> None:
    acting(TIM)
    quiz = done("save_quiz", course_id=1, title="Essays", published=True, questions=[{"text": "Why?", "points": 3}])
    acting(SUE)
    number = quiz["questions"][0]["id"]
    attempt = done("take_quiz", course_id=1, quiz_id=quiz["quiz"]["id"], responses={str(number): "Because"})["attempt"]
    assert attempt.get("score") is None
    acting(TIM)
    (waiting,) = (
        submission
        for submission in done("find_submissions", course_id=1, state="ungraded")["submissions"]
        if submission["name"] == "Sue Lind"
    )
    graded = done(
        "grade_submission", course_id=1, assignment_id=waiting["submission"]["assignment_id"], user_id=SUE, grade="2"
    )
    assert graded["score"] == 2.0


def test_work_that_is_handed_in_again_waits_for_a_grade_and_an_empty_grade_takes_one_back(
    done: Call, acting: Acting
) -> None:
    grade = {"course_id": 1, "assignment_id": ESSAY, "user_id": SUE}

    def list_ungraded() -> list[str]:
        return [row["name"] for row in done("find_submissions", course_id=1, state="ungraded")["submissions"]]

    acting(TIM)
    done("grade_submission", course_id=1, assignment_id=ESSAY, user_id=SAM, grade=" excused ")
    for text in ("Good", "Better"):
        acting(SUE)
        done("submit_assignment", course_id=1, assignment_id=ESSAY, text=text)
        acting(TIM)
        assert list_ungraded() == ["Sue Lind"]
        done("grade_submission", **grade, grade="12")
        assert list_ungraded() == []
    done("grade_submission", **grade, grade="")
    assert list_ungraded() == ["Sue Lind"]
    sam = done("find_submissions", course_id=1, user_id=SAM)["submissions"][0]["submission"]
    assert (sam["excused"], sam.get("score")) == (True, None)


def test_a_long_text_is_cut_in_a_list_which_says_so_and_whole_by_itself(done: Call, acting: Acting) -> None:
    acting(SUE)
    done("submit_assignment", course_id=1, assignment_id=ESSAY, text="word " * 2_000)
    acting(TIM)
    (listed, alone) = (
        next(
            row["submission"]["body"]
            for row in done("find_submissions", course_id=1, assignment_id=ESSAY, **who)["submissions"]
            if row["name"] == "Sue Lind"
        )
        for who in ({}, {"user_id": SUE})
    )
    assert "[cut; 10,000 characters in all" in listed
    assert alone == "word " * 2_000


def test_a_deadline_is_taken_away(done: Call, acting: Acting) -> None:
    acting(TIM)
    assert done("save_assignment", course_id=1, assignment_id=ESSAY, due="").get("due") is None
    assert done("save_quiz", course_id=1, quiz_id=QUIZ, due="")["quiz"].get("due") is None
    (quiz_work,) = done("find_assignments", course_id=1, query="quiz")["assignments"]
    assert quiz_work.get("due") is None


def test_questions_are_worth_what_they_are_on_learning_platforms(done: Call, refused: Call, acting: Acting) -> None:
    primes = [{"text": text, "weight": weight} for text, weight in (("2", 100), ("3", 100), ("4", 0), ("9", 0))]
    questions = [
        {"text": "Read this", "kind": "text_only"},
        {"text": "Primes?", "kind": "multiple_answers", "points": 4, "answers": primes},
        {
            "text": "g?",
            "kind": "numerical",
            "answers": [{"answer_exact": 9.81, "answer_error_margin": 0.02, "weight": 100}],
        },
        {"text": "Room?", "kind": "numerical", "answers": [{"from": 18, "to": 22, "weight": 100}]},
    ]
    acting(TIM)
    quiz = done("save_quiz", course_id=1, title="Mixed", published=True, attempts=4, questions=questions)
    _, many, near, within = [question["id"] for question in quiz["questions"]]
    assert quiz["points"] == 6.0
    acting(SUE)
    for answers, score in (
        ({many: [1, 2], near: "9.8", within: "22"}, 6.0),
        ({many: [1]}, 2.0),
        ({many: [1, 2, 3], near: "9.84"}, 2.0),
        ({many: [1, 2, 3, 4], within: "17.9"}, 0.0),
    ):
        responses = {str(number): answer for number, answer in answers.items()}
        attempt = done("take_quiz", course_id=1, quiz_id=quiz["quiz"]["id"], responses=responses)["attempt"]
        assert attempt["score"] == score
    acting(TIM)
    wrong = [{"text": "x", "kind": "numerical", "answers": [{"text": "1", "weight": 100, "tolerance": 1}]}]
    assert "has no part 'tolerance'" in refused("save_quiz", course_id=1, quiz_id=QUIZ, questions=wrong)


def test_a_quiz_that_no_longer_counts_or_lost_its_assignment_goes_on_as_practice(done: Call, acting: Acting) -> None:
    acting(SAM)
    done("take_quiz", course_id=1, quiz_id=QUIZ, responses={"1": "2"})
    acting(TIM)
    assert done("report_grades", course_id=1)["grades"][1]["possible"] == 3.0
    done("save_quiz", course_id=1, quiz_id=QUIZ, quiz_kind="practice")
    assert done("report_grades", course_id=1)["grades"][1].get("possible", 0) == 0
    done("save_quiz", course_id=1, quiz_id=QUIZ, quiz_kind="assignment")
    (counted,) = done("find_assignments", course_id=1, query="quiz")["assignments"]
    done("save_assignment", course_id=1, assignment_id=counted["id"], discard=True)
    assert done("save_quiz", course_id=1, quiz_id=QUIZ, title="Drill")["quiz"]["kind"] == "practice"


def test_a_grade_of_a_teacher_outlives_a_weaker_attempt(done: Call, acting: Acting) -> None:
    acting(TIM)
    quiz = done(
        "save_quiz", course_id=1, title="Essays", published=True, attempts=2, questions=[{"text": "Why?", "points": 3}]
    )
    (counted,) = done("find_assignments", course_id=1, query="essays")["assignments"]
    given = {"course_id": 1, "quiz_id": quiz["quiz"]["id"], "responses": {str(quiz["questions"][0]["id"]): "Because"}}
    acting(SUE)
    done("take_quiz", **given)
    acting(TIM)
    done("grade_submission", course_id=1, assignment_id=counted["id"], user_id=SUE, grade="2.5")
    acting(SUE)
    done("take_quiz", **given)
    acting(TIM)
    (row,) = done("find_submissions", course_id=1, assignment_id=counted["id"], state="ungraded")["submissions"]
    assert (row["submission"]["score"], row["submission"]["attempt"]) == (2.5, 2)
