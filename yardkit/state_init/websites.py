"""Pages of the web of a world, which the server `web` searches."""

from html import escape

from yardkit.world import World, save_text


def save_page(world: World, url: str, title: str, paragraphs: list[str]) -> None:
    """Write a page below ``apps/web``; `url` is such as ``harbour-museum.example/visit``.

    A search gives some thirty words around those that are found: keep what an agent of GTA, whose search shows no more,
    has to know near the words that lead to it.
    """
    body = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    text = (
        f"<!doctype html><html><head><title>{escape(title)}</title></head><body><h1>{escape(title)}</h1>{body}</body>"
    )
    save_text(world.root / "apps" / "web" / f"{url}.html", f"{text}</html>\n")
