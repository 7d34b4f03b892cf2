"""PDF files in the dialect of Toolathlon's pdf-tools: pages as text, joining, extracting, and paged search."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from yardkit.kit.dialect import Saved, Text
from yardkit.kit.surface import FileRef
from yardkit.servers.pdf.calls import edit_file, make_file, run
from yardkit.servers.pdf.engine.assembly import merge_split
from yardkit.servers.pdf.engine.reading import info, page_text
from yardkit.world import InFile, OutFile, Problem, current_world
from yardkit.world.paths import in_file

MOST_RESULTS = 50
"""Matches on a page of results."""


def read_pdf_pages(pdf_file_path: InFile, start_page: int = 1, end_page: int | None = None, offset: int = 0) -> Text:
    total = run(info.count_pages, pdf_file_path)
    first, last = _check_range(start_page, start_page if end_page is None else end_page, total)
    text_pages = run(page_text.read_text, pdf_file_path, "", f"{first}-{last}", "plain", None, offset)
    parts = [f"=== Page {page.page} ===\n{page.text or page.note or '[no text]'}" for page in text_pages.pages]
    head = f"PDF total pages: {total}\nExtracted page range: {first}-{text_pages.pages[-1].page}"
    if text_pages.next_pages:
        rest = text_pages.next_pages.partition("-")[0]
        place = f", offset={text_pages.next_offset}" if text_pages.next_offset else ""
        parts.append(f"[cut; go on with start_page={rest}, end_page={last}{place}]")
    return Text("\n\n".join([head, *parts]))


def get_pdf_info(pdf_file_path: InFile) -> str:
    pdf_info = run(info.inspect_pdf, pdf_file_path)
    stated = {key: pdf_info.metadata.get(key, "Unknown") for key in ("Title", "Author", "Creator", "CreationDate")}
    facts = {
        "Total pages": pdf_info.pages,
        "Title": stated["Title"],
        "Author": stated["Author"],
        "Creator": stated["Creator"],
        "Creation date": stated["CreationDate"],
        "Page sizes in points": "; ".join(f"{size} (pages {which})" for size, which in pdf_info.page_sizes.items()),
        "Pages without text (scans)": pdf_info.scanned_pages,
        "Form fields": pdf_info.form_fields,
        "Encryption": pdf_info.encryption,
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    return "\n".join(["PDF file information:", *lines])


def merge_pdfs(pdf_paths: list[InFile], output_path: OutFile) -> Saved:
    done = make_file(output_path, merge_split.merge_documents, [merge_split.Part(path) for path in pdf_paths])
    where = current_world().to_relative(output_path)
    message_lines = [
        f"Successfully merged {len(pdf_paths)} PDFs into '{where}'",
        f"Total pages: {done.pages}",
        *done.notes,
    ]
    return Saved("\n".join(message_lines), FileRef.from_path(output_path))


def extract_pdf_pages(source_path: InFile, page_numbers: list[int], output_path: OutFile) -> Saved:
    total = run(info.count_pages, source_path)
    missing = [number for number in page_numbers if not 1 <= number <= total]
    if missing:
        raise Problem(f"page {', '.join(map(str, missing[:20]))} does not exist; the file has pages 1 to {total}")
    _, done = edit_file(source_path, output_path, merge_split.extract_pages, "", page_numbers)
    world = current_world()
    message_lines = [
        f"Successfully extracted {done.pages} pages from '{world.to_relative(source_path)}' to "
        f"'{world.to_relative(output_path)}'",
        f"Extracted pages: {page_numbers}",
        f"Source PDF total pages: {total}",
        *done.notes,
    ]
    return Saved("\n".join(message_lines), FileRef.from_path(output_path))


def search_pdf_content(pdf_file_path: InFile, pattern: str, page_size: int = 10) -> str:
    size = min(max(page_size, 1), MOST_RESULTS)
    note = (
        ""
        if size == page_size
        else f"Warning: page_size {page_size} is out of range (1-{MOST_RESULTS}); {size} it is\n"
    )
    return note + _format_results(_Search(pdf_file_path, pattern, size, 1))


def search_pdf_next_page(search_id: str) -> str:
    search = _search_of(search_id)
    return _format_results(search.turn_to(search.page + 1))


def search_pdf_prev_page(search_id: str) -> str:
    search = _search_of(search_id)
    if search.page == 1:
        return "Already on first page (1)"
    return _format_results(search.turn_to(search.page - 1))


def search_pdf_go_page(search_id: str, page_number: int) -> str:
    search = _search_of(search_id)
    return _format_results(search.turn_to(page_number), strict=True)


def search_pdf_info(search_id: str) -> str:
    search = _search_of(search_id)
    total = _find_matches(search, limit=1).total
    lines = {
        "Search ID": search_id,
        "PDF Path": current_world().to_relative(search.path),
        "Pattern": search.pattern,
        "Total matches": total,
        "Current page": f"{search.page}/{search.pages(total)}",
        "Results per page": search.size,
    }
    return "\n".join(["Search Session Information:", *(f"{name}: {value}" for name, value in lines.items())])


@dataclass(frozen=True)
class _Search:
    """A page of the results of a search; its ID holds all of it, so that nothing has to be kept between calls."""

    path: Path
    pattern: str
    size: int
    page: int

    def __str__(self) -> str:
        return f"{self.page}:{self.size}:{quote(current_world().to_relative(self.path))}:{self.pattern}"

    def turn_to(self, page: int) -> "_Search":
        return _Search(self.path, self.pattern, self.size, page)

    def pages(self, total: int) -> int:
        return max(1, -(-total // self.size))


def _search_of(search_id: str) -> _Search:
    page, size, path, pattern = (*search_id.split(":", 3), "", "", "")[:4]
    if not (page.isdecimal() and size.isdecimal() and path and pattern):
        raise Problem(f"{search_id[:120]!r} is not a valid search ID; copy that of the last results, or search again")
    if not 1 <= int(size) <= MOST_RESULTS or int(page) < 1:
        raise Problem(f"{search_id[:120]!r} is not a known search ID; search again with search_pdf_content")
    return _Search(in_file(unquote(path)), pattern, int(size), int(page))


def _find_matches(search: _Search, limit: int) -> page_text.PdfMatches:
    """The first matches."""
    pattern = f"(?m){search.pattern}"
    regex, match_case, whole_words, by_lines = True, False, False, True
    return run(
        page_text.search_text, search.path, pattern, "", None, regex, match_case, whole_words, 0, limit, by_lines
    )


def _format_results(search: _Search, *, strict: bool = False) -> str:
    first = (search.page - 1) * search.size
    matches = _find_matches(search, first + search.size)
    total, pages = matches.total, search.pages(matches.total)
    if not total:
        return f"No matches found for pattern: {search.pattern}"
    if search.page > pages:
        if strict:
            raise Problem(f"there is no page {search.page} of results; there are pages 1 to {pages}")
        return f"Already on last page ({pages}/{pages})"
    lines = [
        f"Search ID: {search}",
        f"Pattern: {search.pattern}",
        f"Total matches: {total}",
        f"Page: {search.page}/{pages}",
        f"Results per page: {search.size}",
        "",
    ]
    for number, match in enumerate(matches.matches[first:], first + 1):
        lines += [
            f"Match {number}:",
            f"  Page: {match.page}",
            f'  Text: "{match.text}"',
            f"  Context: ...{match.context}...",
        ]
    if pages > 1:
        lines += [
            "",
            "Turn pages with search_pdf_next_page, search_pdf_prev_page or search_pdf_go_page and this Search ID.",
        ]
    return "\n".join(lines)


def _check_range(first: int, last: int, total: int) -> tuple[int, int]:
    """The pages from one to another, in their order and within the document."""
    first, last = sorted((max(first, 1), max(last, 1)))
    if first > total:
        raise Problem(f"there is no page {first}; the file has pages 1 to {total}")
    return first, min(last, total)
