from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from yardkit.evaluators.checkpoints import (
    Check,
    Checkpoint,
    Finding,
    InsufficientEvidence,
    InvalidArtifact,
    Outcome,
    graded,
    group,
    leaf,
)
from yardkit.evaluators.scoring import grade
from yardkit.evaluators.submission import Submission

NOTHING = Submission(Path("nowhere"))


def gives(outcome: Outcome) -> Check:
    return lambda _submission, _facts: Finding(outcome, "seen")


def raises(error: Exception) -> Check:
    def check(_submission: object, _facts: object) -> Finding:
        raise error

    return check


def one(name: str, check: Check, **options: object) -> Checkpoint:
    return leaf(name, f"{name} holds", check, observes=("answer",), **options)  # type: ignore[arg-type]


def test_the_reward_is_the_weighted_mean_of_groups_of_leaves() -> None:
    inner = group("inner", "", one("a", gives("pass"), weight=3), one("b", gives("fail")), weight=1)
    result = grade(group("root", "", inner, one("c", gives("pass"), weight=1)), NOTHING, {})
    assert (result.reward, result.root_score, result.passed, result.valid) == (0.875, 8.75, False, True)


def test_a_graded_leaf_counts_by_its_share_and_passes_from_a_point_on() -> None:
    def points(count: float) -> Check:
        return lambda _submission, _facts: graded(count, "seen")

    tree = group("root", "", one("a", points(8)), one("b", gives("pass")))
    assert (grade(tree, NOTHING, {}).reward, grade(tree, NOTHING, {}).passed) == (0.9, True)
    tree = group("root", "", one("a", points(6)), one("b", gives("pass")))
    assert (grade(tree, NOTHING, {}).reward, grade(tree, NOTHING, {}).passed) == (0.8, False)
    assert grade(group("root", "", one("a", points(6), gate=True), one("b", gives("pass"))), NOTHING, {}).reward == 0
    verdict = grade(group("root", "", one("a", points(11))), NOTHING, {}).verdict
    assert verdict is not None
    assert verdict.parts[0].outcome == "observer_invalid"


def test_a_failed_gate_takes_everything() -> None:
    tree = group("root", "", one("a", gives("pass")), one("g", gives("fail"), gate=True, weight=0.01))
    assert grade(tree, NOTHING, {}).reward == 0


def test_guardrails_alone_are_worth_nothing() -> None:
    tree = group("root", "", one("work", gives("fail")), one("kept", gives("pass"), kind="guardrail", weight=9))
    assert grade(tree, NOTHING, {}).reward == 0


def test_an_unjudged_leaf_leaves_the_verdict_open_and_the_score_to_the_others() -> None:
    result = grade(group("root", "", one("a", gives("pass")), one("j", gives("unjudged"), weight=5)), NOTHING, {})
    assert (result.reward, result.passed, result.valid) == (1.0, None, True)


def test_our_own_faults_never_lower_the_score_and_mark_the_run_invalid() -> None:
    for outcome in ("observer_invalid", "environment_invalid", "service_invalid"):
        result = grade(group("root", "", one("a", gives("pass")), one("b", gives(outcome), weight=9)), NOTHING, {})
        assert (result.reward, result.passed, result.valid) == (1.0, None, False)
        assert result.faults


def test_a_crashing_observer_is_our_fault_and_the_agent_fails_only_by_what_it_delivered() -> None:
    tree = group(
        "root",
        "",
        one("crash", raises(KeyError("x"))),
        one("missing", raises(InsufficientEvidence("no file"))),
        one("damaged", raises(InvalidArtifact("no workbook"))),
    )
    result = grade(tree, NOTHING, {})
    assert result.verdict is not None
    outcomes = [verdict.outcome for verdict in result.verdict.leaves()]
    assert outcomes == ["observer_invalid", "insufficient_evidence", "invalid_artifact"]
    assert (result.reward, result.passed, result.valid) == (0.0, False, False)


outcomes = st.sampled_from(["pass", "fail", "unjudged", "invalid_artifact", "observer_invalid"])
leaves = st.builds(lambda outcome, weight: ("leaf", outcome, weight), outcomes, st.floats(0.01, 100, allow_nan=False))
trees = st.recursive(leaves, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=20)


def build(shape: object) -> Checkpoint:
    if isinstance(shape, tuple):
        return one("x", gives(shape[1]), weight=shape[2])
    assert isinstance(shape, list)
    return group("g", "", *(build(part) for part in shape))


@given(trees)
def test_the_reward_stays_in_bounds_and_is_one_exactly_when_all_that_counts_passes(shape: object) -> None:
    result = grade(build(shape), NOTHING, {})
    assert 0 <= result.reward <= 1
    assert result.verdict is not None
    counted = [verdict for verdict in result.verdict.leaves() if verdict.score is not None]
    assert (result.reward == 1) == (
        bool(counted) and all(verdict.score == 1 for verdict in counted)
    ) or result.reward > 0.99
    assert result == grade(build(shape), NOTHING, {})


def test_a_tree_cut_to_some_leaves_asks_no_others() -> None:
    inner = group("inner", "", one("a", gives("pass")), one("b", raises(RuntimeError("asked"))))
    tree = group(
        "root", "", inner, group("other", "", one("c", raises(RuntimeError("asked")))), one("d", gives("fail"))
    )
    result = grade(tree.only({"a", "d"}), NOTHING, {})
    assert result.valid
    assert result.verdict is not None
    assert [(leaf.id, leaf.outcome) for leaf in result.verdict.leaves()] == [("a", "pass"), ("d", "fail")]
