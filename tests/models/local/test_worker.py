"""What the worker does with its memory and its queue: models come and go, calls wait, are joined, and leave."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from yardkit.models.local import requests
from yardkit.models.local.families import loading
from yardkit.models.local.families.contract import Prepared, Watch
from yardkit.models.local.requests import EmbeddingRequest, ObjectsRequest
from yardkit.models.local.shelf.shelf import add_directory, local_model
from yardkit.models.local.worker.engine import Engine, Settings
from yardkit.models.local.worker.faults import NoMemory, Unknown
from yardkit.world import Problem

Checkpoint = Callable[[str], Path]
PICTURE = Image.linear_gradient("L").resize((96, 64)).convert("RGB")
OBJECTS = ObjectsRequest(PICTURE, ("cat",), 0.0)
TEXT = EmbeddingRequest("a cat")
VIDEO = requests.VideoRequest("a red circle", 1, 32, 32, 1.0, steps=200)


def run(steps: Callable[[Engine], Awaitable[None]], *names: str, spare: int = 50_000) -> None:
    """Do the steps with an engine whose budget just holds the models of these names (all, without)."""

    async def within() -> None:
        size = sum(local_model(name).bytes for name in names) + spare
        async with run_engine(size if names else 0) as running_engine:
            await asyncio.wait_for(steps(running_engine), 60)

    asyncio.run(within())


@asynccontextmanager
async def run_engine(size: int) -> AsyncIterator[Engine]:
    new_engine = Engine(Settings("cpu", size))
    try:
        yield new_engine
    finally:
        new_engine.close()


def list_loaded(engine: Engine) -> set[str]:
    return {slot.name for slot in engine.memory.slots.values() if slot.ready}


def count_events(engine: Engine, event: str, model: str) -> float:
    text = engine.figures.text(engine.memory, engine.lane).decode()
    start = f'yardkit_worker_models_total{{event="{event}",model="{model}"}} '
    return next((float(line.removeprefix(start)) for line in text.splitlines() if line.startswith(start)), 0.0)


def test_a_model_is_loaded_once_however_many_ask_for_it(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        await asyncio.gather(*(engine.answer("clip", TEXT) for _ in range(20)))
        assert count_events(engine, "load", "clip") == 1

    run(steps)


def test_the_model_that_was_not_used_for_longest_goes_for_another(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        await engine.answer("clip", TEXT)
        await engine.answer("owlv2", OBJECTS)
        await engine.answer("clip", TEXT)
        await engine.answer("vits", requests.SpeechRequest("hello"))
        assert list_loaded(engine) == {"clip", "vits"}
        assert engine.memory.device_bytes <= engine.memory.budget.device

    run(steps, "clip", "owlv2")


def test_two_models_that_do_not_fit_together_take_turns(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        calls = [engine.answer("clip", TEXT) if turn % 2 else engine.answer("owlv2", OBJECTS) for turn in range(12)]
        assert len(await asyncio.gather(*calls)) == 12
        assert engine.memory.device_bytes <= engine.memory.budget.device

    run(steps, "clip")


def test_a_model_that_never_fits_is_refused_and_others_go_on(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        with pytest.raises(NoMemory, match=r"'grounding_dino' takes 1\.7.? MB, and the worker may use 0\.3.* MB"):
            await engine.answer("grounding_dino", OBJECTS)
        await engine.answer("clip", TEXT)

    run(steps, "clip")


def test_a_model_in_use_stays_until_its_call_has_ended(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        async with engine.memory.hold("clip") as model_hold:
            other = asyncio.create_task(engine.answer("owlv2", OBJECTS))
            await asyncio.sleep(0.2)
            assert model_hold.ready
            assert not other.done()
        await other
        assert list_loaded(engine) == {"owlv2"}

    run(steps, "clip")


def test_calls_that_are_alike_are_run_as_one(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        alone = [await engine.answer("clip", EmbeddingRequest(f"cat {index}")) for index in range(8)]
        together = await asyncio.gather(
            *(engine.answer("clip", EmbeddingRequest(f"cat {index}")) for index in range(8))
        )
        np.testing.assert_allclose(alone, together, atol=1e-5)
        await engine.answer("clip", TEXT)  # what was run before it is counted by now
        text = engine.figures.text(engine.memory, engine.lane).decode()
        runs = next(
            line for line in text.splitlines() if line.startswith('yardkit_worker_batch_calls_count{model="clip"')
        )
        assert 8 < float(runs.split()[-1]) < 16

    run(steps)


def start_slow_call(engine: Engine) -> "asyncio.Task[Any]":
    """A call that takes the device for long."""
    return asyncio.create_task(engine.answer("wan", VIDEO))


async def wait_until_working(engine: Engine, model: str) -> None:
    """Wait until the device works on a model."""
    while not (engine.memory.slots[model].users and not engine.lane.waiting and engine.memory.slots[model].ready):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)


def test_what_is_urgent_goes_first(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        await engine.answer("vits", requests.SpeechRequest("warm"))
        first = start_slow_call(engine)
        await wait_until_working(engine, "wan")
        order: list[int] = []

        async def call(priority: int) -> None:
            await engine.answer("vits", requests.SpeechRequest("hello"), priority)
            order.append(priority)

        calls = [asyncio.create_task(call(priority)) for priority in (0, -5, 7)]
        while engine.lane.waiting < 3:
            await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.gather(*calls)
        assert order == [7, 0, -5]

    run(steps)


def test_a_call_that_is_cancelled_leaves_the_queue_or_ends_at_its_next_step(shelf: Path) -> None:
    async def steps(engine: Engine) -> None:
        await engine.answer("vits", requests.SpeechRequest("warm"))
        first = start_slow_call(engine)
        await wait_until_working(engine, "wan")
        queued = asyncio.create_task(engine.answer("vits", requests.SpeechRequest("hello")))
        while not engine.lane.waiting:
            await asyncio.sleep(0.01)
        queued.cancel()
        await asyncio.wait([queued])
        assert engine.lane.waiting == 0
        first.cancel()
        await asyncio.wait([first], timeout=10)
        assert first.cancelled()
        assert engine.memory.slots["wan"].users == 0

    run(steps)


def test_when_memory_is_out_idle_models_go_and_the_call_is_tried_once_more(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(engine: Engine) -> None:
        await engine.answer("owlv2", OBJECTS)
        await engine.answer("clip", TEXT)
        model = engine.memory.slots["clip"].model
        real = model.run

        def short_of_memory(batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
            if engine.memory.slots["owlv2"].ready:
                raise MemoryError
            return real(batch, watch)

        monkeypatch.setattr(model, "run", short_of_memory)
        await engine.answer("clip", TEXT)
        assert list_loaded(engine) == {"clip"}

    run(steps)


def test_a_call_that_is_too_large_for_the_device_says_so_and_others_go_on(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def steps(engine: Engine) -> None:
        await engine.answer("clip", TEXT)

        def never(batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
            raise MemoryError

        with monkeypatch.context() as patch:
            patch.setattr(engine.memory.slots["clip"].model, "run", never)
            with pytest.raises(NoMemory, match="not enough memory for this call of 'clip'"):
                await engine.answer("clip", TEXT)
        await engine.answer("clip", TEXT)

    run(steps)


def test_one_call_that_fails_does_not_take_its_like_with_it(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def steps(engine: Engine) -> None:
        await engine.answer("clip", TEXT)
        model = engine.memory.slots["clip"].model
        real = model.run
        bad = model.prepare(EmbeddingRequest("bad")).inputs["input_ids"].tolist()

        def failing(batch: Sequence[Prepared], watch: Watch) -> Sequence[Any]:
            if any(request.inputs["input_ids"].tolist() == bad for request in batch):
                raise RuntimeError("a fault of the model")
            return real(batch, watch)

        monkeypatch.setattr(model, "run", failing)
        texts = ["one", "bad", "two"]
        answers = await asyncio.gather(
            *(engine.answer("clip", EmbeddingRequest(text)) for text in texts), return_exceptions=True
        )
        assert [isinstance(answer, RuntimeError) for answer in answers] == [False, True, False]

    run(steps)


def test_a_model_that_cannot_be_loaded_fails_its_calls_alone(
    shelf: Path, checkpoint: Checkpoint, tmp_path: Path
) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(checkpoint("clip"), folder)
    add_directory(folder, ["embeddings"], "broken")
    weights = folder / "model.safetensors"

    async def steps(engine: Engine) -> None:
        weights.write_bytes(weights.read_bytes()[:-100])
        with pytest.raises(Problem, match="is damaged"):
            await engine.answer("broken", TEXT)
        weights.write_bytes(checkpoint("clip").joinpath("model.safetensors").read_bytes()[:-1] + b"\1")
        with pytest.raises(Problem, match="is not the file that was added"):
            await engine.answer("broken", TEXT)
        shutil.copyfile(checkpoint("clip") / "model.safetensors", weights)
        await engine.answer("broken", TEXT)  # mended, it is loaded
        with pytest.raises(Unknown):
            await engine.answer("nothing", TEXT)

    try:
        run(steps)
    finally:
        shutil.rmtree(shelf / "local" / "broken")


def test_a_pickle_is_not_opened_even_where_the_shelf_is_passed_by(checkpoint: Checkpoint, tmp_path: Path) -> None:
    import torch

    folder = tmp_path / "pickled"
    shutil.copytree(checkpoint("clip"), folder)
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(Problem, match="cannot be loaded"):
        loading.load_model("embeddings", folder, torch.float32)
