"""A program is what a language model wrote as one, with or without Markdown around it."""

import pytest

from yardkit.kit.fenced_code import unfence_program

FENCE = "`" * 3
WRITES_MARKDOWN = f'text = """# Title\n\n{FENCE}python\nprint("from the document")\n{FENCE}\n"""\nprint(text)\n'


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("print(1)", "print(1)"),
        (f"{FENCE}python\nprint(1)\n{FENCE}", "print(1)"),
        (f"{FENCE}py\r\nprint(1)\r\n{FENCE}\r\n", "print(1)"),
        ("~~~~\nprint(1)\n~~~~", "print(1)"),
        (f"{FENCE}python\nprint(1)", "print(1)"),
        (f"Here it is:\n\n{FENCE}python\nprint(1)\n{FENCE}\nIt prints 1.", "print(1)\n"),
        (f"Here:\n{FENCE}python\na = 1\n{FENCE}\nand\n{FENCE}python\nprint(a)\n{FENCE}\n", "a = 1\n\nprint(a)\n"),
        (f"Install:\n{FENCE}bash\npip install x\n{FENCE}\n{FENCE}\nprint(1)\n{FENCE}", "print(1)\n"),
        (WRITES_MARKDOWN, WRITES_MARKDOWN),
        (f"{FENCE}python\n{WRITES_MARKDOWN}{FENCE}", WRITES_MARKDOWN.removesuffix("\n")),
        (f"{FENCE}{FENCE}\n{WRITES_MARKDOWN}{FENCE}{FENCE}", WRITES_MARKDOWN.removesuffix("\n")),
        (f"{FENCE}python\nprint(1\n{FENCE}", "print(1\n"),
        ("no program, and no block", "no program, and no block"),
    ],
)
def test_the_program_is_found_and_its_own_fences_are_left_alone(text: str, program: str) -> None:
    assert unfence_program(text) == program


def test_a_hostile_nesting_is_no_harm() -> None:
    text = f"{FENCE}\n{'(' * 100_000}\n{FENCE}"
    assert unfence_program(text).startswith("(((")
