"""The server `shop`: products, variants, categories, reviews, and what is found of them."""

import pytest
from support.answers import Call

from yardkit.apps.shop import APP, RECORDS, Product, Review
from yardkit.apps.store import open_store
from yardkit.world import World


@pytest.fixture
def lamp(done: Call) -> int:
    """A lamp in two sizes, and a stool beside it."""
    seat = done("save_category", name="Seating")["id"]
    product = done("save_product", name="Desk lamp", sku="LMP-20", price_cents=4900, tags=["new"], low_stock=3)
    number: int = product["product"]["id"]
    for size, price, stock in (("S", 4900, 3), ("M", 5900, 20)):
        done(
            "save_product",
            parent_id=number,
            options={"Size": [size]},
            sku=f"LMP-20-{size}",
            price_cents=price,
            stock=stock,
        )
    done("save_product", name="Oak stool", sku="STL-45", price_cents=7900, stock=8, category_ids=[seat])
    return number


def list_skus(reply: dict[str, list[dict[str, str]]]) -> list[str]:
    return [product["sku"] for product in reply["products"]]


def test_a_product_becomes_variable_with_its_first_variant_and_sums_them_up(done: Call, lamp: int) -> None:
    product = done("read_product", product_id=lamp)
    assert product["product"]["kind"] == "variable"
    assert [(variant["name"], variant["options"], variant["price_cents"]) for variant in product["variants"]] == [
        ("Desk lamp - S", {"Size": ["S"]}, 4900), ("Desk lamp - M", {"Size": ["M"]}, 5900),
    ]  # fmt: skip
    line = done("find_products", query="lamp")["products"][0]
    assert (line["price_cents"], line["stock"], line["variants"]) == (4900, 23, 2)
    assert list_skus(done("find_products", query="LMP-20-M")) == ["LMP-20"]
    assert list_skus(done("find_products", query="LMP-20-M", with_variants=True)) == ["LMP-20-M"]


def test_products_are_found_by_words_price_stock_category_and_tag(done: Call, lamp: int) -> None:
    assert list_skus(done("find_products", sort_by="price", descending=True)) == ["STL-45", "LMP-20"]
    assert list_skus(done("find_products", availability="low")) == ["LMP-20"]
    assert list_skus(done("find_products", min_price_cents=5000)) == ["STL-45"]
    assert list_skus(done("find_products", tag="NEW")) == ["LMP-20"]
    assert list_skus(done("find_products", category_id=1)) == ["STL-45"]
    page = done("find_products", limit=1)
    assert (page["total"], page["next_offset"]) == (2, 1)
    assert list_skus(done("find_products", limit=1, offset=1)) == ["STL-45"]


def test_a_sale_price_holds_from_its_first_to_its_last_day(done: Call, lamp: int) -> None:
    number = done("read_product", sku="stl-45")["product"]["id"]
    sale = {"sale_price_cents": 6900, "sale_from": "2026-03-16", "sale_until": "2026-03-16"}
    assert done("save_product", product_id=number, **sale)["now_cents"] == 6900
    line = done("find_products", on_sale=True)["products"][0]
    assert (line["price_cents"], line["regular_price_cents"]) == (6900, 7900)
    over = done("save_product", product_id=number, sale_from="2026-03-01", sale_until="2026-03-15")
    assert (over["now_cents"], over["product"]["sale_until"]) == (7900, "2026-03-16T00:00:00+00:00")
    gone = done("save_product", product_id=number, clear=["sale_price_cents", "sale_from", "sale_until"])["product"]
    assert "sale_price_cents" not in gone


def test_stock_says_by_itself_whether_there_is_any(done: Call, lamp: int) -> None:
    number = done("read_product", sku="STL-45")["product"]["id"]
    assert done("save_product", product_id=number, stock=0)["product"]["stock_status"] == "outofstock"
    assert list_skus(done("find_products", availability="out")) == ["STL-45"]
    assert done("save_product", product_id=number, backorders="notify")["product"]["stock_status"] == "onbackorder"
    uncounted = done("save_product", product_id=number, clear=["stock"])["product"]
    assert ("stock" in uncounted, uncounted["stock_status"]) == (False, "onbackorder")


def test_what_a_product_cannot_be_is_refused_by_name(done: Call, refused: Call, lamp: int) -> None:
    assert "is already used by product" in refused("save_product", name="Other", sku="STL-45")
    assert "not below the regular price" in refused("save_product", product_id=lamp, sale_price_cents=4900)
    assert "needs a name" in refused("save_product", sku="X")
    assert "already has the options {'Size': ['M']}" in refused("save_product", parent_id=lamp, options={"Size": ["M"]})
    assert "one value for each option" in refused("save_product", parent_id=lamp, options={})
    assert "there is no product 99; there are: 1, 2, 3, 4" in refused("read_product", product_id=99)
    assert "LMP-20-M" in refused("read_product", sku="LMP-20-")
    assert "there is no category 9" in refused("save_product", product_id=lamp, category_ids=[9])
    assert "not a valid date or time" in refused("save_product", product_id=lamp, sale_from="soon")
    assert done("read_product", product_id=lamp)["product"]["sku"] == "LMP-20"


def test_meta_is_merged_and_null_takes_one_out(done: Call, lamp: int) -> None:
    done("save_product", product_id=lamp, meta={"lot": "A7", "threshold": 5})
    changed = done("save_product", product_id=lamp, meta={"lot": None, "bin": "C3"})["product"]["meta"]
    assert changed == {"threshold": 5, "bin": "C3"}


def test_a_deleted_product_goes_to_the_trash_with_its_variants_or_for_good(
    done: Call, refused: Call, lamp: int
) -> None:
    assert done("delete_product", product_id=lamp)["variants"] == 2
    assert list_skus(done("find_products")) == ["STL-45"]
    assert list_skus(done("find_products", status="trash")) == ["LMP-20"]
    done("delete_product", product_id=lamp, for_good=True)
    assert "there is no product" in refused("read_product", product_id=lamp)


def test_categories_stand_in_their_tree_and_none_is_part_of_itself(done: Call, refused: Call) -> None:
    top = done("save_category", name="Furniture")["id"]
    seat = done("save_category", name="Seating", parent_id=top)["id"]
    done("save_category", name="Desks")
    listed = done("list_categories")["categories"]
    assert [(category["name"], category.get("parent_id")) for category in listed] == [
        ("Furniture", None), ("Seating", top), ("Desks", None),
    ]  # fmt: skip
    assert "cannot be its own parent" in refused("save_category", category_id=top, parent_id=seat)
    assert "already has the name 'Seating'" in refused("save_category", name="seating", parent_id=top)
    assert "parent_id" not in done("save_category", category_id=seat, at_top=True)


def test_reviews_are_found_and_rated(world: World, done: Call, refused: Call, lamp: int) -> None:
    at = "2026-03-0{}T10:00:00+00:00"
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        for number, (rating, status) in enumerate(((5, "approved"), (2, "approved"), (1, "hold")), 1):
            store.put(Review(number, lamp, at.format(number), "Ada B.", "ada@example.com", rating, "Fine", status))  # type: ignore[arg-type]
        assert store.count(Product) == 4
    product = done("read_product", product_id=lamp)
    assert (product["rating"], product["reviews"]) == (3.5, 2)
    assert [review["id"] for review in done("find_reviews", max_rating=2)["reviews"]] == [3, 2]
    assert [review["id"] for review in done("find_reviews", status="hold", since="2026-03-03")["reviews"]] == [3]
    assert "there is no product 77" in refused("find_reviews", product_id=77)
