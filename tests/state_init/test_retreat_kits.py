"""The kit of retreats: who wins, which answers count, what last year's tally looks like."""

import random
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from yardkit.state_init.company.persons import Somebody
from yardkit.state_init.desk.retreat_survey.retreats import NAMES, Retreat, in_haste, plan_too_dear, plan_within_budget
from yardkit.world import World

ENDS = datetime(2026, 4, 10, 18, tzinfo=ZoneInfo("Europe/Vienna"))
PEOPLE = [Somebody("Ada", f"Berg{number}", f"ada.berg{number}@firm.example") for number in range(41)]
HOSTS = dict(zip(NAMES, [("Ben", f"Reed{number}") for number in range(4)], strict=False))


@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_the_favourite_is_too_dear_and_would_not_have_been_at_first(*, cut: bool, seed: int) -> None:
    retreat = plan_too_dear(random.Random(seed), PEOPLE, HOSTS, ENDS, cut=cut)
    assert retreat.favourite != retreat.won
    assert retreat.count_votes(retreat.won.name) == retreat.count_votes(retreat.runner_up.name) + 1
    dear = retreat.favourite.compute_cost(len(PEOPLE)) - retreat.budget
    assert 0 < dear <= 1_500 if cut else 0 < dear <= retreat.favourite.hire - retreat.favourite.was


def test_every_hasty_way_to_count_gives_the_runner_up_more_votes() -> None:
    rng = random.Random(4)
    retreat = plan_too_dear(rng, PEOPLE, HOSTS, ENDS, cut=True)
    hasty = in_haste(rng, retreat, PEOPLE[:2], 3)
    assert {vote.place for vote in hasty} == {retreat.runner_up.name}
    first = {
        vote.email: vote.place for vote in sorted((*retreat.counted, *hasty), key=lambda vote: vote.at, reverse=True)
    }
    votes = [*first.values()]
    assert votes.count(retreat.runner_up.name) > votes.count(retreat.won.name)
    assert [vote.at > ENDS for vote in hasty] == [False] * 5 + [True] * 2


def test_the_tally_of_a_retreat_within_the_budget_has_its_favourite_in_it(tmp_path: Path) -> None:
    import openpyxl

    hosts = dict([*HOSTS.items()][:3])
    retreat: Retreat = plan_within_budget(random.Random(2), PEOPLE, hosts, ENDS)
    world = World.create(tmp_path / "w", task="t", seed=0)
    retreat.save(world.files / "tally.xlsx", "Ada Berg")
    rows = [*openpyxl.load_workbook(world.files / "tally.xlsx", data_only=True)["Places"].values]
    chosen = max(rows[1:], key=lambda row: row[6])
    assert (chosen[0], chosen[7]) == (retreat.won.name, "yes")
    assert sum(row[6] for row in rows[1:]) == len(PEOPLE) - 6
