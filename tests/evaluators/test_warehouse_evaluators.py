"""Evaluators see tables of the warehouse; mutants change one thing; hostile files are survived."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.warehouses import make_orders, write_parquet

from yardkit.apps.warehouse import Catalog, Schema, Table, bucket_folder, locate_folder, save_catalog
from yardkit.evaluators import leaves, misses
from yardkit.evaluators.checkpoints import Checkpoint, InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.mutations import Mutant, matches_target, record_mutants
from yardkit.evaluators.proof import Solved
from yardkit.evaluators.readers.warehouse import read_table
from yardkit.evaluators.submission import Submission
from yardkit.servers.warehouse.engine.stored_warehouse import Warehouse
from yardkit.world import World, save_bytes, save_text

FACTS: dict[str, Any] = {"sums": [{"region": "East", "total": 39.98}, {"region": "North", "total": 120.5}]}
CHECKS: tuple[Checkpoint, ...] = (
    leaves.warehouse_rows(
        "sums", "The sums", lambda _: "SALES.PUBLIC.SUMS", lambda facts: facts["sums"], called="*.SUMS"
    ),
    leaves.warehouse_types(
        "types",
        "Sums are numbers",
        lambda _: "SALES.PUBLIC.SUMS",
        lambda _: {"total": ("money", "float"), "region": "text"},
    ),
    leaves.warehouse_changes(
        "orders",
        "Order 3 has its amount",
        lambda _: "SALES.PUBLIC.ORDERS",
        added=lambda _: [{"id": 3, "region": "North", "day": "2026-03-15", "amount": 12, "pieces": 4}],
        called="*.ORDERS",
        removed=lambda _: [{"id": 3, "amount": None}],
    ),
    leaves.check_unchanged_tables("SALES.PUBLIC.SUMS", "SALES.PUBLIC.ORDERS", "@buckets/out/*"),
)


@pytest.fixture
def case(tmp_path: Path) -> tuple[World, World, Submission]:
    """Solved: a table of sums made, an amount filled in, an object saved."""
    before = World.create(tmp_path / "before", task="warehouse", seed=1)
    place = before.get_app_folder("warehouse") / "SALES" / "PUBLIC"
    save_bytes(place / "ORDERS.parquet", write_parquet(make_orders()))
    save_bytes(place / "STOCK.parquet", write_parquet(make_orders().select(["ID", "REGION"])))
    save_text(bucket_folder(before, "kept") / "a.txt", "a")
    tables = {name: Table("2026-01-05") for name in ("ORDERS", "STOCK")}
    save_catalog(before, Catalog("SALES", {"SALES": {"PUBLIC": Schema("2026-01-05", tables=tables)}}))
    after = before.detach(tmp_path / "after")
    work = Warehouse(after)
    sums = "SELECT region, SUM(amount) AS total FROM orders WHERE region IN ('East', 'North') GROUP BY region"
    work.change(f"CREATE TABLE sales.public.sums AS {sums}", "snowflake")
    work.change("UPDATE orders SET amount = 12 WHERE id = 3", "snowflake")
    save_text(bucket_folder(after, "out") / "b.txt", "b")
    return before, after, Submission(after.root, before=lambda: before.root)


def list_failing_leaves(submission: Submission) -> set[str]:
    failing_ids = set()
    for check in CHECKS:
        assert check.check
        try:
            holds = check.check(submission, FACTS).outcome == "pass"
        except (InsufficientEvidence, InvalidArtifact):
            holds = False
        failing_ids |= set() if holds else {check.id}
    return failing_ids


def test_the_solved_world_passes_and_the_untouched_one_fails_all_but_the_guardrail(
    case: tuple[World, World, Submission],
) -> None:
    before, _, solved = case
    assert list_failing_leaves(solved) == set()
    untouched = Submission(before.root, before=lambda: before.root)
    assert list_failing_leaves(untouched) == {"sums", "types", "orders"}


def test_every_mutant_is_killed_by_the_leaves_that_name_what_it_changes(
    case: tuple[World, World, Submission], tmp_path: Path
) -> None:
    _, after, solved = case
    mutants = list(record_mutants(solved, random.Random(5)))
    assert {mutant.operator for mutant in mutants} == {
        *("drop_row", "double_row", "near_number", "swap_key", "null_cell", "other_table", "change_type"),
        "touch_bystander",
    }
    survivors = [
        mutant.says
        for number, mutant in enumerate(mutants)
        if not is_mutant_killed(mutant, after, solved, tmp_path / str(number))
    ]
    assert survivors == []


def is_mutant_killed(mutant: Mutant, after: World, solved: Submission, root: Path) -> bool:
    copy = after.detach(root)
    mutant.apply(copy.files, "")
    named = {check.id for check in CHECKS if any(matches_target(pattern, mutant.target) for pattern in check.covers)}
    assert named, mutant.target
    return bool(list_failing_leaves(Submission(copy.root, before=solved.before)) & named)


@pytest.mark.parametrize(
    ("miss", "fails"),
    [
        (misses.table_changed(lambda _: "SALES.PUBLIC.SUMS", lambda rows, _: rows.pop(), "sums"), {"sums"}),
        (misses.table_retyped(lambda _: "SALES.PUBLIC.SUMS", "TOTAL", "types"), {"sums", "types"}),
        (misses.table_renamed(lambda _: "SALES.PUBLIC.SUMS", "SUM", "sums"), {"sums", "types", "tables"}),
        (misses.table_changed(lambda _: "SALES.PUBLIC.STOCK", lambda rows, _: rows.reverse(), "tables"), set()),
        (misses.table_changed(lambda _: "SALES.PUBLIC.STOCK", lambda rows, _: rows.pop(), "tables"), {"tables"}),
    ],
)
def test_near_misses_spoil_what_they_name(
    case: tuple[World, World, Submission], miss: Callable[[Solved], object], fails: set[str]
) -> None:
    _, after, solved = case
    miss(Solved(after.files, "", FACTS, []))
    assert list_failing_leaves(solved) == fails


def test_the_guardrail_sees_objects_logs_and_tables(case: tuple[World, World, Submission]) -> None:
    _, after, solved = case
    save_text(bucket_folder(after, "kept") / "a.txt", "b")
    Warehouse(after).change("CREATE TABLE sales.public.stray AS SELECT 1 AS a", "snowflake")
    evidence = CHECKS[-1].check(solved, FACTS).evidence  # type: ignore[misc]
    assert evidence == "also changed: @buckets/kept/a.txt, SALES.PUBLIC.STRAY"


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("catalog.json", b'{"databases": 7}'),
        ("catalog.json", b"[" * 100_000),
        ("SALES/PUBLIC/SUMS.parquet", b"PAR1" + b"\0" * 100 + b"PAR1"),
        ("SALES/PUBLIC/SUMS.parquet", b""),
    ],
)
def test_spoilt_files_are_the_agents_fault(case: tuple[World, World, Submission], path: str, data: bytes) -> None:
    _, after, solved = case
    (locate_folder(after) / path).write_bytes(data)
    with pytest.raises(InvalidArtifact):
        read_table(solved, "SALES.PUBLIC.SUMS")


def test_a_link_is_no_table(case: tuple[World, World, Submission]) -> None:
    _, after, solved = case
    path = locate_folder(after) / "SALES/PUBLIC/SUMS.parquet"
    path.unlink()
    path.symlink_to(locate_folder(after) / "SALES/PUBLIC/ORDERS.parquet")
    with pytest.raises(InvalidArtifact):
        read_table(solved, "SALES.PUBLIC.SUMS")
    with pytest.raises(InsufficientEvidence):
        read_table(solved, "SALES.PUBLIC.NOTHING")
