from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.calls import heard_in, inspection_of, looked_at
from yardkit.evaluators.submission import Submission


def make_call(
    number: int, tool: str, *, changed: bool = False, seen: bool = False, error: str = "", **arguments: Any
) -> Any:
    after = f"s{number}" if changed else "s0"
    media = ("a.png",) if seen else ()
    base = {"number": number, "tool": tool, "arguments": arguments, "error": error, "media": media}
    return base | {"state_before": "s0", "state_after": after}


def passes_looked_at(*calls: Any) -> bool:
    return looked_at(Submission(Path(), calls=calls), "deck.pptx").outcome == "pass"


WRITE: dict[str, Any] = {"tool": "edit_shapes", "changed": True, "path": "deck.pptx"}


def test_a_picture_of_the_file_after_its_last_change_counts() -> None:
    assert passes_looked_at(make_call(1, **WRITE), make_call(2, "render_pages", path="deck.pptx", seen=True))


def test_looking_before_the_last_change_does_not_count() -> None:
    assert not passes_looked_at(make_call(1, "render_pages", path="deck.pptx", seen=True), make_call(2, **WRITE))


def test_looking_at_another_file_does_not_count() -> None:
    assert not passes_looked_at(make_call(1, **WRITE), make_call(2, "render_pages", path="other.pptx", seen=True))


def test_a_failed_look_does_not_count() -> None:
    assert not passes_looked_at(
        make_call(1, **WRITE), make_call(2, "render_pages", path="deck.pptx", error="no such page")
    )


def test_a_reading_without_a_picture_does_not_count() -> None:
    assert not passes_looked_at(make_call(1, **WRITE), make_call(2, "list_pages", path="deck.pptx"))


def test_looking_at_a_pdf_made_from_the_file_counts() -> None:
    pdf_call = make_call(2, "convert_to_pdf", changed=True, path="deck.pptx", target="out/deck.pdf")
    assert passes_looked_at(make_call(1, **WRITE), pdf_call, make_call(3, "show_page", path="out/deck.pdf", seen=True))


def test_a_pdf_made_before_the_last_change_does_not_count() -> None:
    pdf_call = make_call(1, "convert_to_pdf", changed=True, path="deck.pptx", target="deck.pdf")
    assert not passes_looked_at(pdf_call, make_call(2, **WRITE), make_call(3, "show_page", path="deck.pdf", seen=True))


MAKE: dict[str, Any] = {"tool": "add_video_text", "changed": True, "path": "raw.mp4", "target": "clip.mp4"}


def measure_depth(*calls: Any) -> str:
    return inspection_of(Submission(Path(), calls=calls), "clip.mp4").depth


def test_a_film_is_inspected_by_what_shows_its_pictures_or_reads_its_words() -> None:
    assert measure_depth(make_call(1, **MAKE), make_call(2, "view_video", path="clip.mp4", seen=True)) == "content"
    assert measure_depth(make_call(1, **MAKE), make_call(2, "transcribe_speech", path="clip.mp4")) == "content"


def test_metadata_alone_is_no_inspection() -> None:
    assert measure_depth(make_call(1, **MAKE)) == "none"
    assert measure_depth(make_call(1, **MAKE), make_call(2, "get_video_info", path="clip.mp4")) == "metadata"


def test_an_inspection_before_the_last_change_is_outdated() -> None:
    seen = make_call(2, "view_video", path="clip.mp4", seen=True)
    assert measure_depth(make_call(1, **MAKE), seen, make_call(3, **MAKE)) == "outdated"
    assert (
        measure_depth(make_call(1, **MAKE), seen, make_call(3, **MAKE), make_call(4, "get_video_info", path="clip.mp4"))
        == "outdated"
    )


def test_frames_that_were_taken_out_of_the_film_count_as_it() -> None:
    taken = make_call(2, "extract_video_frames", changed=True, path="clip.mp4", folder="frames")
    assert (
        measure_depth(make_call(1, **MAKE), taken, make_call(3, "view_image", path="frames/1.png", seen=True))
        == "content"
    )
    assert (
        measure_depth(make_call(1, **MAKE), taken, make_call(3, "view_image", path="other/1.png", seen=True)) == "none"
    )


def test_a_word_that_two_calls_share_is_no_view() -> None:
    placed = {**MAKE, "position": "top"}
    other = make_call(2, "view_image", path="other.png", position="top", seen=True)
    assert measure_depth(make_call(1, **placed), other) == "none"


def test_what_was_heard_in_a_sound_before_its_last_change_is_forgotten() -> None:
    spoken: dict[str, Any] = {"changed": True, "target": "reply.wav", "text": "draft.wav"}
    heard = make_call(2, "transcribe_speech", path="reply.wav") | {"text": "seven"}
    again = make_call(4, "transcribe_speech", path="reply.wav") | {"text": "nine"}
    info = make_call(5, "get_audio_info", path="reply.wav") | {"text": "two"}
    calls = (make_call(1, "speak_text", **spoken), heard, make_call(3, "speak_text", **spoken), again, info)
    assert heard_in(Submission(Path(), calls=calls), "reply.wav") == "nine\n"
    assert heard_in(Submission(Path(), calls=calls[:3]), "reply.wav") == ""
