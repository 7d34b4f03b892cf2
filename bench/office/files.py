"""The files that office servers are measured on, the same for everybody."""

import random
from pathlib import Path


def write_numbers(path: Path, rows: int, columns: int = 20) -> Path:
    """A workbook of `rows` x `columns` cells: text, whole numbers, fractions; sheet Data, no header."""
    import xlsxwriter

    rng = random.Random("numbers")
    book = xlsxwriter.Workbook(path, {"constant_memory": True})
    sheet = book.add_worksheet("Data")
    for row in range(rows):
        for column in range(columns):
            kind = column % 3
            value = f"item {rng.randrange(500)}" if kind == 0 else rng.randrange(10**6) / (1 if kind == 1 else 100)
            sheet.write(row, column, value)
    book.close()
    return path


def write_sums(path: Path, rows: int, columns: int = 20) -> Path:
    """The same as numbers with a live sum, its value stored, at the end of each row."""
    import xlsxwriter

    rng = random.Random("sums")
    book = xlsxwriter.Workbook(path, {"constant_memory": True})
    sheet = book.add_worksheet("Data")
    last = xlsxwriter.utility.xl_col_to_name(columns - 2)
    for row in range(rows):
        values = [rng.randrange(1000) for _ in range(columns - 1)]
        for column, value in enumerate(values):
            sheet.write_number(row, column, value)
        sheet.write_formula(row, columns - 1, f"=SUM(A{row + 1}:{last}{row + 1})", None, sum(values))
    book.close()
    return path


def write_letter(path: Path, pages: int) -> Path:
    """A Word document of about `pages` pages: headings, text and a table on each."""
    import docx

    rng = random.Random("letter")
    document = docx.Document()
    for page in range(pages):
        document.add_heading(f"Chapter {page + 1}", 1)
        for _ in range(7):
            document.add_paragraph(" ".join(f"word{rng.randrange(900)}" for _ in range(60)))
        table = document.add_table(rows=4, cols=3)
        for row in table.rows:
            for cell in row.cells:
                cell.text = str(rng.randrange(10**4))
        document.add_page_break()
    document.save(path)
    return path
