"""The seeded web: what holds is on the firms' own pages, what is old elsewhere; the servers read all of it."""

from pathlib import Path

from support.answers import caller, facts, told

from yardkit.servers.web.dialects.toolathlon import mcp as fetch
from yardkit.servers.web.server import mcp as web
from yardkit.state_init.cast import Cast, cast_of, stream
from yardkit.state_init.company.sites import DIRECTORY, fill_sites
from yardkit.world import World, use_world


def seeded(folder: Path, seed: int = 1) -> tuple[World, Cast, dict[str, dict[str, str]]]:
    world = World.create(folder, task="t", seed=seed)
    cast = cast_of(world)
    return world, cast, fill_sites(world, cast, stream(world, "web"), 8)


def test_own_pages_hold_what_the_directory_has_wrong(tmp_path: Path) -> None:
    world, cast, terms = seeded(tmp_path / "world")
    call = caller(fetch)
    with use_world(world):
        wrong = 0
        for supplier in cast.suppliers:
            held = terms[supplier.company.domain]
            own = told(call("fetch_markdown", url=f"https://{supplier.company.domain}/delivery"))
            assert all(f"| {name} | {value} |" in own for name, value in held.items())
            (hit,) = [
                one
                for one in caller(web)("search_web", query=supplier.company.full, limit=50).structured_content["hits"]
                if one["title"] == supplier.company.full and DIRECTORY in one["url"]
            ]
            old = told(call("fetch_markdown", url=hit["url"]))
            wrong += f"| Delivery | {held['Delivery']} |" not in old
            assert hit["date"] < "2025"
        assert wrong == len(cast.suppliers)
        feed = facts(call("fetch_json", url=f"https://{cast.domain}/products.json"))
        assert len(feed["products"]) == sum(product.active for product in cast.products)


def test_a_seed_gives_the_same_web(tmp_path: Path) -> None:
    hashes = [seeded(tmp_path / str(place), seed)[0].state_hash() for place, seed in enumerate((1, 1, 2))]
    assert hashes[0] == hashes[1] != hashes[2]
