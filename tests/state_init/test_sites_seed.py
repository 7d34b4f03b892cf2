"""The seeded web: what holds is on the firms' own pages, what is old elsewhere; the servers read all of it."""

from pathlib import Path

from support.answers import make_caller, read_facts, read_text

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.web.server import mcp as web
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.desk.supplier_check.sites import DIRECTORY, fill_sites
from yardkit.world import World, use_world


def seed_sites(folder: Path, seed: int = 1) -> tuple[World, Cast, dict[str, dict[str, str]]]:
    world = World.create(folder, task="t", seed=seed)
    cast = cast_of(world)
    return world, cast, fill_sites(world, cast, get_stream(world, "web"), 8)


def test_own_pages_hold_what_the_directory_has_wrong(tmp_path: Path) -> None:
    world, cast, terms = seed_sites(tmp_path / "world")
    call = make_caller(load_server("web", "toolathlon"))
    with use_world(world):
        wrong = 0
        for supplier in cast.suppliers:
            supplier_terms = terms[supplier.company.domain]
            own = read_text(call("fetch_markdown", url=f"https://{supplier.company.domain}/delivery"))
            assert all(f"| {name} | {value} |" in own for name, value in supplier_terms.items())
            (hit,) = [
                hit
                for hit in make_caller(web)("search_web", query=supplier.company.full, limit=50).structured_content[
                    "hits"
                ]
                if hit["title"] == supplier.company.full and DIRECTORY in hit["url"]
            ]
            old = read_text(call("fetch_markdown", url=hit["url"]))
            wrong += f"| Delivery | {supplier_terms['Delivery']} |" not in old
            assert hit["date"] < "2025"
        assert wrong == len(cast.suppliers)
        feed = read_facts(call("fetch_json", url=f"https://{cast.domain}/products.json"))
        assert len(feed["products"]) == sum(product.active for product in cast.products)


def test_a_seed_gives_the_same_web(tmp_path: Path) -> None:
    hashes = [seed_sites(tmp_path / str(place), seed)[0].state_hash() for place, seed in enumerate((1, 1, 2))]
    assert hashes[0] == hashes[1] != hashes[2]
