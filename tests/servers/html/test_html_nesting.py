"""Pages made to keep a parser busy are refused at once; ordinary ones, however long, are not."""

import pytest

from yardkit.servers.html.engine.located_parser import parse_located
from yardkit.servers.html.engine.nesting import check_nesting
from yardkit.world import Problem


@pytest.mark.parametrize(
    "text",
    [
        "<div>" * 300_000,
        "<a><b><i><p>" * 60_000,
        "<div/>" * 300_000,
        '<div a="<">' * 5_000,
        "<svg><b><path/>" + "<path/>" * 5_000,
        "<path/>" * 5_000,
        "<i>" * 5_000 + '<a"' * 100_000,
    ],
)
def test_a_page_that_nests_without_end_is_refused(text: str) -> None:
    with pytest.raises(Problem, match="deep"):
        check_nesting(text, "a.html")


@pytest.mark.parametrize(
    "text",
    [
        "<ul>" + "<li>item" * 50_000,
        "<table>" + "<tr><td>1<td>2" * 20_000,
        "<svg>" + '<path d="M 0 0"/>' * 20_000 + "</svg>",
        "<div>" * 900 + "</div>" * 900,
        "a < b and c > d" * 10_000,
    ],
)
def test_a_long_page_is_read(text: str) -> None:
    check_nesting(text, "a.html")


def test_a_tag_with_attributes_without_end_is_refused() -> None:
    attributes = [f"a{number}=1" for number in range(50_000)]
    assert parse_located(f"<p {' '.join(attributes[:900])}>x").root.find(".//p").get("a899") == "1"
    with pytest.raises(Problem, match="more than 1,000 attributes"):
        parse_located(f"<p {' '.join(attributes)}>x")
