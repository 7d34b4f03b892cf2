"""The contract of model backends: which is chosen, and what is said where none is set up."""

from dataclasses import dataclass

import pytest

from yardkit.models.contract import ModelUnavailable, Option, Origin, Tier, choose_backend
from yardkit.world import Problem, Unavailable


@dataclass
class Captioner:
    tier: Tier
    reason: str = ""

    @property
    def origin(self) -> Origin:
        return Origin(self.tier, f"{self.tier}-model", "full")

    def missing(self) -> str:
        return self.reason


NONE = ModelUnavailable(
    "captions",
    "a vision-language model",
    [
        Option("endpoint", settings={"YARDKIT_VISION_URL": "http://localhost:8000/v1"}),
        Option("local", command="yardkit models add captions", model="Qwen3.5-4B", disk_bytes=9_000_000_000),
    ],
    partial="describe_facts",
)


def test_auto_takes_the_best_tier_that_is_set_up() -> None:
    embedded, local, endpoint = Captioner("embedded"), Captioner("local", "no weights"), Captioner("endpoint")
    assert choose_backend([embedded, local, endpoint], "auto", NONE) is endpoint
    assert choose_backend([embedded, local], "auto", NONE) is embedded


def test_a_wanted_tier_is_taken_or_refused_with_its_reason() -> None:
    backends = [Captioner("embedded"), Captioner("local", "no weights in /models")]
    assert choose_backend(backends, "embedded", NONE) is backends[0]
    with pytest.raises(Unavailable, match="local-model: no weights in /models"):
        choose_backend(backends, "local", NONE)
    with pytest.raises(Problem, match="captions has no endpoint backend; it has: embedded, local"):
        choose_backend(backends, "endpoint", NONE)


def test_where_nothing_is_set_up_every_way_to_get_it_is_named() -> None:
    with pytest.raises(ModelUnavailable) as caught:
        choose_backend([Captioner("local", "no weights")], "auto", NONE)
    assert str(caught.value) == (
        "captions needs a vision-language model, and none is set up here; endpoint: "
        "YARDKIT_VISION_URL=http://localhost:8000/v1; or local: `yardkit models add captions` for Qwen3.5-4B. "
        "Without a model: describe_facts"
    )
    assert str(Origin("embedded", "nanodet", "facts_only")) == "nanodet (embedded, facts only)"
