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
    grade_points,
    make_checkpoint,
    make_group,
)
from yardkit.evaluators.scoring import run_checkpoints
from yardkit.evaluators.submission import Submission

NOTHING = Submission(Path("nowhere"))


def give_outcome(outcome: Outcome) -> Check:
    return lambda _submission, _facts: Finding(outcome, "seen")


def raise_error(error: Exception) -> Check:
    def check(_submission: object, _facts: object) -> Finding:
        raise error

    return check


def make_leaf(name: str, check: Check, **options: object) -> Checkpoint:
    return make_checkpoint(name, f"{name} holds", check, covers=("answer",), **options)  # type: ignore[arg-type]


def test_the_reward_is_the_weighted_mean_of_groups_of_leaves() -> None:
    inner = make_group(
        "inner", "", make_leaf("a", give_outcome("pass"), weight=3), make_leaf("b", give_outcome("fail")), weight=1
    )
    result = run_checkpoints(make_group("root", "", inner, make_leaf("c", give_outcome("pass"), weight=1)), NOTHING, {})
    assert (result.reward, result.root_score, result.passed, result.valid) == (0.875, 8.75, False, True)


def test_a_graded_leaf_counts_by_its_share_and_passes_from_a_point_on() -> None:
    def points(count: float) -> Check:
        return lambda _submission, _facts: grade_points(count, "seen")

    tree = make_group("root", "", make_leaf("a", points(8)), make_leaf("b", give_outcome("pass")))
    assert (run_checkpoints(tree, NOTHING, {}).reward, run_checkpoints(tree, NOTHING, {}).passed) == (0.9, True)
    tree = make_group("root", "", make_leaf("a", points(6)), make_leaf("b", give_outcome("pass")))
    assert (run_checkpoints(tree, NOTHING, {}).reward, run_checkpoints(tree, NOTHING, {}).passed) == (0.8, False)
    assert (
        run_checkpoints(
            make_group("root", "", make_leaf("a", points(6), gate=True), make_leaf("b", give_outcome("pass"))),
            NOTHING,
            {},
        ).reward
        == 0
    )
    verdict = run_checkpoints(make_group("root", "", make_leaf("a", points(11))), NOTHING, {}).verdict
    assert verdict is not None
    assert verdict.parts[0].outcome == "observer_invalid"


def test_a_failed_gate_takes_everything() -> None:
    tree = make_group(
        "root", "", make_leaf("a", give_outcome("pass")), make_leaf("g", give_outcome("fail"), gate=True, weight=0.01)
    )
    assert run_checkpoints(tree, NOTHING, {}).reward == 0


def test_guardrails_alone_are_worth_nothing() -> None:
    tree = make_group(
        "root",
        "",
        make_leaf("work", give_outcome("fail")),
        make_leaf("kept", give_outcome("pass"), kind="guardrail", weight=9),
    )
    assert run_checkpoints(tree, NOTHING, {}).reward == 0


def test_an_unjudged_leaf_leaves_the_verdict_open_and_the_score_to_the_others() -> None:
    result = run_checkpoints(
        make_group(
            "root", "", make_leaf("a", give_outcome("pass")), make_leaf("j", give_outcome("unjudged"), weight=5)
        ),
        NOTHING,
        {},
    )
    assert (result.reward, result.passed, result.valid) == (1.0, None, True)


def test_our_own_faults_never_lower_the_score_and_mark_the_run_invalid() -> None:
    for outcome in ("observer_invalid", "environment_invalid", "service_invalid"):
        result = run_checkpoints(
            make_group(
                "root", "", make_leaf("a", give_outcome("pass")), make_leaf("b", give_outcome(outcome), weight=9)
            ),
            NOTHING,
            {},
        )
        assert (result.reward, result.passed, result.valid) == (1.0, None, False)
        assert result.faults


def test_a_crashing_observer_is_our_fault_and_the_agent_fails_only_by_what_it_delivered() -> None:
    tree = make_group(
        "root",
        "",
        make_leaf("crash", raise_error(KeyError("x"))),
        make_leaf("missing", raise_error(InsufficientEvidence("no file"))),
        make_leaf("damaged", raise_error(InvalidArtifact("no workbook"))),
    )
    result = run_checkpoints(tree, NOTHING, {})
    assert result.verdict is not None
    outcomes = [verdict.outcome for verdict in result.verdict.list_leaves()]
    assert outcomes == ["observer_invalid", "insufficient_evidence", "invalid_artifact"]
    assert (result.reward, result.passed, result.valid) == (0.0, False, False)


outcomes = st.sampled_from(["pass", "fail", "unjudged", "invalid_artifact", "observer_invalid"])
leaves = st.builds(lambda outcome, weight: ("leaf", outcome, weight), outcomes, st.floats(0.01, 100, allow_nan=False))
trees = st.recursive(leaves, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=20)


def build_tree(shape: object) -> Checkpoint:
    if isinstance(shape, tuple):
        return make_leaf("x", give_outcome(shape[1]), weight=shape[2])
    assert isinstance(shape, list)
    return make_group("g", "", *(build_tree(part) for part in shape))


@given(trees)
def test_the_reward_stays_in_bounds_and_is_one_exactly_when_all_that_counts_passes(shape: object) -> None:
    result = run_checkpoints(build_tree(shape), NOTHING, {})
    assert 0 <= result.reward <= 1
    assert result.verdict is not None
    counted = [verdict for verdict in result.verdict.list_leaves() if verdict.score is not None]
    assert (result.reward == 1) == (
        bool(counted) and all(verdict.score == 1 for verdict in counted)
    ) or result.reward > 0.99
    assert result == run_checkpoints(build_tree(shape), NOTHING, {})


def test_a_tree_cut_to_some_leaves_asks_no_others() -> None:
    inner = make_group(
        "inner", "", make_leaf("a", give_outcome("pass")), make_leaf("b", raise_error(RuntimeError("asked")))
    )
    tree = make_group(
        "root",
        "",
        inner,
        make_group("other", "", make_leaf("c", raise_error(RuntimeError("asked")))),
        make_leaf("d", give_outcome("fail")),
    )
    result = run_checkpoints(tree.select_leaves({"a", "d"}), NOTHING, {})
    assert result.valid
    assert result.verdict is not None
    assert [(leaf.id, leaf.outcome) for leaf in result.verdict.list_leaves()] == [("a", "pass"), ("d", "fail")]
