"""Tasks that have not been proved over five seeds yet: they have no card in docs/tasks, and CI does not prove them."""

WAITING = frozenset(
    f"office/{name}"
    for name in (
        "brand_deck",
        "deck_repair",
        "scan_archive",
        "survey_charts",
    )
)
