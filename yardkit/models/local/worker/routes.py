"""The routes: from the client's request to the model's request, and from its answer to the response."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from yardkit.models.local.families.contract import Watch
from yardkit.models.local.requests import (
    Completion,
    DetectedMask,
    DetectedObject,
    Film,
    Segment,
    Sound,
    Transcript,
    TranscriptionRequest,
)
from yardkit.models.local.requests import Request as ModelRequest
from yardkit.models.local.worker import wire, writing
from yardkit.models.local.worker.call import Call, describe_fault
from yardkit.models.local.worker.faults import Busy, Unknown
from yardkit.models.local.worker.reading import MAX_BODY_BYTES, decode_picture, decode_sound
from yardkit.world import Problem

_MOST_FILES = 8


async def list_models(call: Call) -> Response:
    engine = call.engine
    data = [
        {
            "id": model.name,
            "object": "model",
            "owned_by": "local",
            "capabilities": list(model.capabilities),
            "family": model.family,
            "licence": model.licence,
            "revision": model.revision,
            "bytes": model.bytes,
            "loaded": engine.memory.slots[model.name].ready,
        }
        for model in engine.models()
    ]
    return JSONResponse({"object": "list", "data": data})


async def find_objects(call: Call) -> Response:
    body = await call.body(wire.Objects)
    detected_objects: list[DetectedObject] = await _ask_model(call, body.model, ["objects"], body.request)
    objects = [
        {"label": thing.label, "score": _round_number(thing.score), "box": _round_box(thing.box)}
        for thing in detected_objects
    ]
    return JSONResponse({"model": call.model, "objects": objects})


async def find_masks(call: Call) -> Response:
    body = await call.body(wire.Masks)
    detected_masks: list[DetectedMask] = await _ask_model(call, body.model, ["masks"], body.request)
    masks = await asyncio.to_thread(lambda: [_describe_mask(mask) for mask in detected_masks])
    return JSONResponse({"model": call.model, "masks": masks})


async def answer_chat(call: Call) -> Response:
    body = await call.body(wire.Chat)
    completion: Completion = await _ask_model(call, body.model, ["vision", "ocr", "formulas"], body.request)
    message = {"role": "assistant", "content": completion.text}
    usage = {"prompt_tokens": completion.tokens_in, "completion_tokens": completion.tokens_out}
    return JSONResponse(
        {
            "object": "chat.completion",
            "model": call.model,
            "choices": [{"index": 0, "message": message, "finish_reason": completion.reason}],
            "usage": {**usage, "total_tokens": completion.tokens_in + completion.tokens_out},
        }
    )


async def embed_inputs(call: Call) -> Response:
    body = await call.body(wire.Embeddings)
    model = call.model = call.engine.model(body.model, ["embeddings"]).name
    requests = await asyncio.to_thread(body.to_requests)
    answers = (call.engine.answer(model, request, call.priority) for request in requests)
    vectors: Sequence[Any] = await call.unless_gone(asyncio.gather(*answers))
    data = [
        {"object": "embedding", "index": index, "embedding": vector.tolist()} for index, vector in enumerate(vectors)
    ]
    return JSONResponse({"object": "list", "model": model, "data": data})


async def transcribe_sound(call: Call) -> Response:
    form = await _read_form(call)
    asked = _read_fields(wire.Transcription, form)
    word_times = "word" in (*form.getlist("timestamp_granularities[]"), *form.getlist("timestamp_granularities"))
    data = (await _read_files(form, "file"))[0]

    def request() -> TranscriptionRequest:
        return TranscriptionRequest(decode_sound(data), asked.language.lower(), word_times)

    transcript: Transcript = await _ask_model(call, asked.model, ["transcription"], request)
    if asked.response_format == "text":
        return Response(transcript.text, media_type="text/plain; charset=utf-8")
    if asked.response_format == "json":
        return JSONResponse({"text": transcript.text})
    response_fields = {
        "task": "transcribe",
        "language": transcript.language,
        "text": transcript.text,
        "duration": _find_end(transcript),
    }
    segments = [{"id": index, **_describe_segment(part, "text")} for index, part in enumerate(transcript.segments)]
    words = {"words": [_describe_segment(part, "word") for part in transcript.words]} if word_times else {}
    return JSONResponse({**response_fields, "segments": segments, **words})


async def speak_text(call: Call) -> Response:
    body = await call.body(wire.Speech)
    sound: Sound = await _ask_model(call, body.model, ["voice"], body.request)
    return Response(await asyncio.to_thread(writing.wav_bytes, sound), media_type="audio/wav")


async def make_images(call: Call) -> Response:
    body = await call.body(wire.Images)
    return await _respond_with_pictures(call, body, ["images"], body.request)


async def edit_images(call: Call) -> Response:
    form = await _read_form(call)
    body = _read_fields(wire.Edits, form)
    data = await _read_files(form, "image", "image[]")
    return await _respond_with_pictures(
        call, body, ["image_edits"], lambda: body.request(tuple(map(decode_picture, data)), body.strength)
    )


async def start_video(call: Call) -> Response:
    body = await call.body(wire.Video)
    return _start_job(call, body, "video", "videos", "video/mp4", body.request, writing.mp4_bytes)


async def start_music(call: Call) -> Response:
    body = await call.body(wire.Music)
    return _start_job(call, body, "music", "music", "audio/wav", body.request, writing.wav_bytes)


async def look_at_job(call: Call) -> Response:
    job = call.jobs.find_job(*_job_of(call.request))
    if call.request.method == "DELETE":
        call.jobs.cancel(job)
    return JSONResponse(job.describe_job())


async def fetch_job(call: Call) -> Response:
    job = call.jobs.find_job(*_job_of(call.request))
    if job.status in ("queued", "running"):
        raise Busy(f"the job is {job.status}; ask for it again until it is done")
    if job.status != "done":
        raise Unknown(f"the job is {job.status}" + (f": {job.error}" if job.error else ""))
    return FileResponse(job.file, media_type=job.media_type)


async def _ask_model(
    call: Call, model: str, capabilities: Sequence[str], request: Callable[[], ModelRequest], watch: Watch | None = None
) -> Any:
    """Ask the model. The request is made in a thread, because it decodes pictures or sound."""
    engine = call.engine
    call.model, priority = engine.model(model, capabilities).name, call.priority
    model_request = await asyncio.to_thread(request)
    return await call.unless_gone(engine.answer(call.model, model_request, priority, watch))


async def _respond_with_pictures(
    call: Call, body: wire.Images, capabilities: Sequence[str], request: Callable[[], ModelRequest]
) -> Response:
    pictures: Sequence[Any] = await _ask_model(call, body.model, capabilities, request)
    texts = await asyncio.to_thread(lambda: [writing.png_text(picture) for picture in pictures])
    return JSONResponse({"model": call.model, "seed": body.seed, "data": [{"b64_json": text} for text in texts]})


def _start_job(
    call: Call,
    body: wire.Video | wire.Music,
    capability: str,
    kind: str,
    media_type: str,
    request: Callable[[], ModelRequest],
    written: Callable[[Any], bytes],
) -> Response:
    engine = call.engine
    model = call.model = engine.model(body.model, [capability]).name
    model_request, priority = request(), call.priority

    async def work(watch: Watch) -> bytes:
        answer: Film | Sound = await engine.answer(model, model_request, priority, watch)
        return await asyncio.to_thread(written, answer)

    begin: Callable[[Watch], Awaitable[bytes]] = work
    job = call.jobs.start(kind, media_type, begin)
    return JSONResponse({**job.describe_job(), "model": model, "seed": body.seed})


def _job_of(request: Request) -> tuple[str, str]:
    return request.url.path.split("/")[2], request.path_params["id"]


async def _read_form(call: Call) -> FormData:
    """Read the fields and files of a form.

    Raises:
        TooLarge: it is over the limit.
        Problem: it is not a form.
    """
    data = await call.read()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": data, "more_body": False}

    try:
        form = Request(call.request.scope, receive).form(
            max_files=_MOST_FILES, max_fields=50, max_part_size=MAX_BODY_BYTES
        )
        return await form
    except MultiPartException as error:
        raise Problem(f"the form cannot be read: {error.message}") from error


def _read_fields(shape: Any, form: FormData) -> Any:
    try:
        return shape.model_validate({name: value for name, value in form.items() if isinstance(value, str)})
    except ValidationError as error:
        raise Problem(describe_fault(error)) from error


async def _read_files(form: FormData, *names: str) -> list[bytes]:
    """Read the bytes of the files of a form.

    Raises:
        Problem: there is none.
    """
    files = [value for name in names for value in form.getlist(name) if isinstance(value, UploadFile)]
    if not files:
        raise Problem(f"the form has no file {names[0]!r}; send one (multipart/form-data)")
    return [await file.read() for file in files]


def _describe_mask(detected_mask: DetectedMask) -> dict[str, Any]:
    import numpy as np

    rows, columns = np.flatnonzero(detected_mask.mask.any(axis=1)), np.flatnonzero(detected_mask.mask.any(axis=0))
    box = [0, 0, 0, 0]
    if rows.size:
        box = [int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1]
    return {"png": writing.mask_text(detected_mask.mask), "score": _round_number(detected_mask.score), "box": box}


def _describe_segment(part: Segment, text: str) -> dict[str, Any]:
    return {"start": _round_number(part.start_s), "end": _round_number(part.end_s), text: part.text}


def _find_end(transcript: Transcript) -> float:
    return max((part.end_s for part in transcript.segments), default=0.0)


def _round_number(value: float) -> float:
    return round(value, 4)


def _round_box(box: Sequence[float]) -> list[float]:
    return [round(value, 2) for value in box]
