"""The prover server through an MCP client."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.exceptions import ToolError
from hypothesis import given, settings
from hypothesis import strategies as st

from yardkit.programs.bounded import run_bounded
from yardkit.servers.prover.engine import goals
from yardkit.servers.prover.server import mcp

PERSONS = ["Person: sort", "man, mortal: Person -> Bool", "socrates: Person"]


async def call_tool(tool: str, **arguments: Any) -> dict[str, Any]:
    async with Client(mcp) as client:
        result = await client.call_tool(tool, arguments)
    assert result.structured_content is not None
    return {**result.structured_content, "text": result.content[0].text}


async def call_refused(tool: str, **arguments: Any) -> str:
    async with Client(mcp) as client:
        with pytest.raises(ToolError) as caught:
            await client.call_tool(tool, arguments)
    return str(caught.value)


async def test_modus_ponens_is_proved_from_both_premises() -> None:
    proof = await call_tool("prove_goal", premises=["p -> q", "p", "r"], conclusion="q")
    assert (proof["verdict"], proof["used"], proof["contradictory"]) == ("proved", ["p -> q", "p"], False)


async def test_a_wrong_conclusion_gets_a_counterexample_that_fits_the_premises() -> None:
    proof = await call_tool("prove_goal", premises=["p -> q", "q"], conclusion="p")
    assert proof["verdict"] == "counterexample"
    assert proof["model"] == {"p": "false", "q": "true"}
    assert "counter-example" in proof["text"]


async def test_contradictory_premises_are_pointed_out() -> None:
    proof = await call_tool("prove_goal", premises=["p", "not p"], conclusion="q")
    assert proof["contradictory"]
    assert "WARNING" in proof["text"]


async def test_syllogisms_are_proved_in_first_order_logic() -> None:
    premises = ["forall x: Person. man(x) -> mortal(x)", "man(socrates)"]
    proof = await call_tool("prove_goal", declarations=PERSONS, premises=premises, conclusion="mortal(socrates)")
    assert proof["verdict"] == "proved"
    weaker = await call_tool("prove_goal", declarations=PERSONS, premises=premises[:1], conclusion="mortal(socrates)")
    assert weaker["verdict"] == "counterexample"


@pytest.mark.parametrize(
    ("conclusion", "verdict"),
    [
        ("\u2200 x: Int, y: Int. x + y = y + x", "proved"),
        ("forall x: Real. exists y: Real. y > x", "proved"),
        ("exists y: Int. forall x: Int. y > x", "counterexample"),
        ("a % 2 = 0 or a % 2 = 1", "proved"),
        ("a^2 >= a", "proved"),
        ("a * a != 17", "proved"),
        ("(if a > 0 then a else -a) >= 0", "proved"),
        ("-a^2 <= 0", "proved"),
        ("a - 1 - 1 = a - 2", "proved"),
        ("a < 0 or 0 <= a < 10 or a >= 10", "proved"),
        ("a > 3 -> a > 4", "counterexample"),
    ],
)
async def test_arithmetic_goals(conclusion: str, verdict: str) -> None:
    assert (await call_tool("prove_goal", declarations=["a: Int"], conclusion=conclusion))["verdict"] == verdict


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("p -> q -> r", "p -> (q -> r)"),
        ("not p and q", "(not p) and q"),
        ("p or q and r", "p or (q and r)"),
        ("p <-> q or r", "p <-> (q or r)"),
        ("p and q -> r", "(p and q) -> r"),
        ("\u00ac(p \u2227 q)", "not p || !q"),
    ],
)
async def test_operators_bind_as_in_the_textbooks(left: str, right: str) -> None:
    assert (await call_tool("compare_formulas", left=left, right=right))["relation"] == "equivalent"


async def test_formulas_that_differ_are_told_apart_by_an_assignment() -> None:
    comparison = await call_tool("compare_formulas", left="x > 3", right="x > 1", declarations=["x: Int"])
    assert comparison["relation"] == "left_implies_right"
    assert 1 < int(comparison["right_only"]["x"]) <= 3


async def test_what_cannot_be_decided_in_time_is_unknown_with_the_reason() -> None:
    premises = ["x > 0", "y > 0", "z > 0"]
    goal = {"declarations": ["x, y, z: Int"], "premises": premises, "conclusion": "x^3 + y^3 != z^3"}
    proof = await call_tool("prove_goal", **goal, time_limit_s=1)
    assert proof["verdict"] == "unknown"
    assert "limit of 1 s" in proof["reason"]


async def test_all_models_of_a_colouring_are_found_and_no_more() -> None:
    declarations = ["Color: {red, green, blue}", "a, b, c: Color"]
    reply = await call_tool("find_models", declarations=declarations, constraints=["distinct(a, b, c)"], count=50)
    assert reply["complete"]
    triples = {(m["a"], m["b"], m["c"]) for m in reply["models"]}
    assert triples == set(itertools.permutations(["red", "green", "blue"]))


async def test_conflicting_constraints_are_named() -> None:
    reply = await call_tool("find_models", declarations=["x, y: Int"], constraints=["x > 3", "y = 1", "x < 3"])
    assert (reply["status"], reply["conflict"]) == ("none", ["x > 3", "x < 3"])


async def test_integer_equations_are_solved() -> None:
    reply = await call_tool(
        "find_models", declarations=["x, y: Int"], constraints=["3*x + 5*y = 31", "x > 0", "y > 0"], count=9
    )
    assert {(m["x"], m["y"]) for m in reply["models"]} == {("2", "5"), ("7", "2")}
    assert reply["complete"]


async def test_a_script_gives_models_and_values() -> None:
    script = "(declare-const x Int)\n(assert (> x 5))\n(assert (< x 7))\n(check-sat)\n(get-value ((+ x 1)))"
    run = await call_tool("check_satisfiability", script=script)
    assert run["checks"] == [{"line": 4, "status": "sat", "model": {"x": "6"}, "core": [], "reason": ""}]
    assert "7" in run["output"]


async def test_a_script_without_check_sat_is_checked_at_its_end() -> None:
    assert (await call_tool("check_satisfiability", script="(assert false)"))["checks"][0]["status"] == "unsat"


async def test_the_core_of_named_assertions_is_told() -> None:
    script = "(declare-const p Bool)(assert (! p :named yes))(assert (! (not p) :named no))(check-sat)"
    assert set((await call_tool("check_satisfiability", script=script))["checks"][0]["core"]) == {"yes", "no"}


async def test_push_and_pop_keep_their_meaning() -> None:
    run = await call_tool("check_satisfiability", script="(push)(assert false)(check-sat)(pop)(check-sat)")
    assert [check["status"] for check in run["checks"]] == ["unsat", "sat"]


async def test_an_undecided_script_says_why() -> None:
    script = (
        "(declare-const x Int)(declare-const y Int)(declare-const z Int)"
        "(assert (and (> x 0) (> y 0) (> z 0) (= (+ (* x x x) (* y y y)) (* z z z))))"
    )
    check = (await call_tool("check_satisfiability", script=script, time_limit_s=1))["checks"][0]
    assert check["status"] == "unknown"
    assert "time limit" in check["reason"]


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("(declare-const x Int)\n(assert (foo x))", "line 2: unknown constant foo"),
        ("(declare-const x Int)\n\n(assert (> x 5)", "line 3: the command that starts here is never closed"),
        ("(check-sat))", "is outside a command"),
        ('(echo "open)', "is an unclosed string"),
        ("hello", "is outside"),
        ("  ; only a remark", "empty"),
        ("(" * 2_000, "is nested more than"),
        ("()", "not allowed"),
        ("((check-sat))", "not allowed"),
    ],
)
async def test_a_script_that_cannot_be_read_is_refused_with_its_line(script: str, message: str) -> None:
    assert message in await call_refused("check_satisfiability", script=script)


@pytest.mark.parametrize(
    "template",
    [
        '(set-option :diagnostic-output-channel "{path}")',
        '(set-option :regular-output-channel "{path}")',
        '(set-option :smtlib2_log "{path}")',
        '(include "{path}")',
        '(echo "a\\") (include "{path}") (echo "b")',
        '(echo |a\\|) (include "{path}") (echo |b|)',
        '(assert true)(|include| "{path}")',
        '; remark\n(set-option :dump_models true)(set-option :trace_file_name "{path}")',
    ],
)
async def test_no_script_reaches_a_file(template: str, tmp_path: Path) -> None:
    secret = tmp_path / "file"
    assert "line" in await call_refused("check_satisfiability", script=template.format(path=secret))
    assert not secret.exists()


@pytest.mark.parametrize(
    ("conclusion", "message"),
    [
        ("p and", "column 6"),
        ("p and\n q )", "line 2, column 4"),
        ("p.__class__", "'.'"),
        ("", "at least 1 character"),
        ("(" * 3_000, "nest"),
        ("not " * 3_000 + "p", "is nested more than"),
        ("p -> " * 3_000 + "p", "is nested more than"),
        ("forall x. x", "sort"),
        ("f(p)", "not declared"),
        ("1 + 1", "not true or false"),
        ("p < q", "not a number"),
        ("p + q = p", "not a number"),
        ("-p", "not a number"),
        ("abs(p) = 1", "not a number"),
        ("2^p = 1", "declare numbers, such as 'x, y: Int'"),
        ("p and 3", "sorts do not match"),
        ("\u20ac", "cannot be read"),
    ],
)
async def test_a_formula_that_cannot_be_read_is_refused(conclusion: str, message: str) -> None:
    assert message in await call_refused("prove_goal", conclusion=conclusion)


@pytest.mark.parametrize(
    "line", ["x", "x: Nope", "forall: Bool", "x: Int -> Int -> Int", "C: {a, a b}", "p: Bool, q", ": Int"]
)
async def test_a_wrong_declaration_is_refused(line: str) -> None:
    assert await call_refused("prove_goal", conclusion="true", declarations=[line])


async def test_a_name_cannot_be_declared_twice() -> None:
    assert "already declared" in await call_refused("prove_goal", conclusion="true", declarations=["x: Int", "x: Bool"])


def generate_formulas() -> st.SearchStrategy[str]:
    names = st.sampled_from(["p", "q", "r"])
    return st.recursive(
        names,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from(["and", "or", "->", "<->", "xor"]), inner).map(
                lambda t: f"({' '.join(t)})"
            ),
            inner.map(lambda text: f"(not {text})"),
        ),
        max_leaves=8,
    )


def evaluate_formula(text: str, values: dict[str, bool]) -> bool:
    """The truth of a fully bracketed formula, worked out by Python alone."""
    python = text.replace("<->", "==").replace("->", "<=").replace("xor", "!=")
    return bool(eval(python, {}, values))


@settings(max_examples=60)
@given(generate_formulas())
def test_a_verdict_agrees_with_the_truth_table(text: str) -> None:
    proof = run_bounded(goals.prove_conclusion, [], [], text, 10.0, seconds=20, memory_bytes=10**9)
    rows = [dict(zip("pqr", row, strict=True)) for row in itertools.product([False, True], repeat=3)]
    assert (proof.verdict == "proved") == all(evaluate_formula(text, row) for row in rows)
    if proof.verdict == "counterexample":
        model = {name: proof.model.get(name) == "true" for name in "pqr"}
        assert not evaluate_formula(text, model)


async def test_answers_stand_when_a_later_command_fails() -> None:
    script = "(declare-const x Int)\n(assert (> x 5))\n(check-sat)\n"
    stopped = await call_tool("check_satisfiability", script=f"{script}(assert (> y 3))\n(check-sat)")
    assert [check["status"] for check in stopped["checks"]] == ["sat"]
    assert stopped["stopped"].startswith("line 4: unknown constant y")
    assert "the rest was not run" in stopped["text"]
    asked = await call_tool("check_satisfiability", script=f"{script}(get-value (y))\n(assert (< x 5))\n(check-sat)")
    assert [check["status"] for check in asked["checks"]] == ["sat", "unsat"]
    assert asked["errors"][0].startswith("line 4: unknown constant y")
