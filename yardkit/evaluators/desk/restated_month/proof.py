"""Solutions and near misses of desk/restated_month."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.warehouse import Row
from yardkit.evaluators.solving.desk import read_today
from yardkit.evaluators.solving.notes import edit_note, find_note, find_note_rows, grid_text
from yardkit.evaluators.solving.solver import write_book
from yardkit.evaluators.solving.warehouse import change_tables, find_tables, query_rows

MONTH, TITLE, BOOK = "2026-02", "Sales report 2026-02", "restatements/2026-02.xlsx"
Rates = Mapping[tuple[str, str], float]
WORDS = ("Restated on {today}. The rates of {pair} from {first} to {last} were wrong. Total before: EUR {before}; "
         "after: EUR {after}. Calculation: {path}")  # fmt: skip
OTHER_WORDS = "{today}: {pair} were wrong ({first} to {last}). {before} EUR in all became {after} EUR, see {path}."
RATES = (
    "UPDATE {EXCHANGE_RATES} t SET RATE = v.rate FROM (VALUES {values}) v(day, currency, rate) "
    "WHERE t.DAY = CAST(v.day AS DATE) AND t.CURRENCY = v.currency",
)
RATES_ANEW = (
    "DELETE FROM {EXCHANGE_RATES} WHERE (CAST(DAY AS VARCHAR), CURRENCY) IN ({keys})",
    "INSERT INTO {EXCHANGE_RATES} (DAY, CURRENCY, RATE) VALUES {values}",
)
ONCE = ("CREATE OR REPLACE TABLE {SALES_FACTS} AS SELECT DISTINCT * FROM {SALES_FACTS}",)
ONCE_BY_ANOTHER_TABLE = (
    "CREATE TABLE {SALES_FACTS}_ONCE AS SELECT * FROM {SALES_FACTS} GROUP BY ALL HAVING count(*) > 1",
    "DELETE FROM {SALES_FACTS} WHERE SALE_ID IN (SELECT SALE_ID FROM {SALES_FACTS}_ONCE)",
    "INSERT INTO {SALES_FACTS} SELECT * FROM {SALES_FACTS}_ONCE",
    "DROP TABLE {SALES_FACTS}_ONCE",
)
CONVERTED = (
    "UPDATE {SALES_FACTS} f SET RATE = r.RATE, AMOUNT_EUR = round(f.AMOUNT / r.RATE, 2) FROM {EXCHANGE_RATES} r "
    "WHERE f.RATE_KIND = 'daily' AND r.CURRENCY = f.CURRENCY AND f.SOLD_ON BETWEEN DATE '{first}' AND DATE '{last}' "
    "+ 2 AND r.DAY = f.SOLD_ON - CASE dayofweek(f.SOLD_ON) WHEN 0 THEN 2 WHEN 6 THEN 1 ELSE 0 END",
    "INSERT INTO {MONTHLY_SALES} SELECT DATE '{month}-01', MARKET, 2, count(*), sum(AMOUNT_EUR), CURRENT_DATE "
    "FROM {SALES_FACTS} WHERE date_trunc('month', SOLD_ON) = DATE '{month}-01' GROUP BY MARKET",
)
SUMMED = (
    "SELECT MARKET, last(SALES ORDER BY VERSION) AS SALES, list(AMOUNT_EUR ORDER BY VERSION) AS EUR "
    "FROM {MONTHLY_SALES} WHERE MONTH = '{month}-01' GROUP BY MARKET ORDER BY 1"
)


def solve(agent: Agent) -> str:
    """Rates from the market, facts and summary by SQL; page, register and workbook as those of another month."""
    return _write_restatement(agent, *_repair_tables(agent, *RATES, *ONCE))


def alternative_doubles_by_another_table_and_page_in_parts(agent: Agent, files: Path) -> str:
    """Doubles go by way of a table that is dropped; the page is edited in parts; another program saves the workbook."""
    answer = _write_restatement(agent, *_repair_tables(agent, *ONCE_BY_ANOTHER_TABLE, *RATES), in_parts=True)
    with misses.open_edited(files / BOOK) as book:
        book["Restatement"].freeze_panes = "B2"
    return answer


def alternative_rates_anew_and_other_words(agent: Agent, _files: Path) -> str:
    """Wrong rates are deleted and put in again; the notice has other words, and figures are bold."""
    return _write_restatement(agent, *_repair_tables(agent, *RATES_ANEW, *ONCE), words=OTHER_WORDS, bold="**")


def _repair_tables(agent: Agent, *statements: str) -> tuple[dict[str, str], Rates]:
    """Rates and facts by these statements, then sales by the rates of their days, and the month summed up once more."""
    tables = find_tables(agent)
    for name in ("EXCHANGE_RATES", "SALES_FACTS", "MONTHLY_SALES"):
        agent.call("describe_table", table=tables[name])
    rows = query_rows(agent, "SELECT * FROM {EXCHANGE_RATES} WHERE DAY >= '2026-01-01' ORDER BY 1, 2", **tables)
    closes = {
        (bar["day"], pair["currency"]): bar["close"]
        for pair in agent.call("find_tickers", query="currency pairs")["companies"]
        for bar in agent.call("list_prices", ticker=pair["ticker"], since="2026-01-01")["bars"]
    }
    known = {(row["DAY"], row["CURRENCY"]): row["RATE"] for row in rows}
    right = {key: closes[key] for key, rate in known.items() if abs(closes[key] - rate) > 0.00001}
    parts = {"first": min(right)[0], "last": max(right)[0], "month": MONTH}
    parts["keys"] = ", ".join(f"('{day}', '{currency}')" for day, currency in right)
    parts["values"] = ", ".join(f"('{day}', '{currency}', {rate})" for (day, currency), rate in right.items())
    change_tables(agent, *statements, *CONVERTED, **tables, **parts)
    return tables, right


def _write_restatement(
    agent: Agent, tables: Mapping[str, str], right: Rates, *, words: str = WORDS, bold: str = "", in_parts: bool = False
) -> str:
    """Page, register and workbook after the restatement that was last made."""
    rows = query_rows(agent, SUMMED, **tables, month=MONTH)
    lines = [(row["MARKET"], row["SALES"], *(float(euros) for euros in row["EUR"])) for row in rows]
    total = ("Total", *(round(sum(line[place] for line in lines), 2) for place in (1, 2, 3)))
    grid = [["Market", "Sales", "EUR", "EUR as published"]]
    grid += [[name, f"{sales}", f"{bold}{after:,.2f}{bold}", f"{before:,.2f}"]
             for name, sales, before, after in (*lines, total)]  # fmt: skip
    example, page = find_note(agent, "Sales report 2025-10 (restated)"), find_note(agent, TITLE)
    agent.call("list_note_page_versions", page_id=example["id"])
    agent.call("read_cells", path="restatements/2025-10.xlsx", show="formulas")
    statement_values = {
        "pair": " and ".join(sorted({currency for _, currency in right})),
        "first": min(right)[0],
        "last": max(right)[0],
    }
    statement_text = words.format(
        **statement_values, today=read_today(agent), before=f"{total[2]:,.2f}", after=f"{total[3]:,.2f}", path=BOOK
    )
    icon = re.findall("> .!(.+?)]", example["text"])[0]
    text = page["text"]
    was, begins = text[text.index("| Market") : text.index("## Remarks")].strip(), text.split(" by market")[0]
    anew = {was: grid_text(grid), "version 1": "version 2", begins: f"> [!{icon}] {statement_text}\n\n{begins}"}
    edit_note(agent, page, anew, title=f"{TITLE} (restated)", in_parts=in_parts)
    register, known = find_note_rows(agent, "Report register")
    row = next(register_row["id"] for register_row in known if register_row["values"]["Report"] == MONTH)
    values = {"Status": "Restated", "Version": 2, "Total EUR": total[3], "Restated on": str(read_today(agent))}
    agent.call("save_table_row", table_id=register, row_id=row, values=values)
    _write_calculation(agent, lines)
    return "February is restated."


def _write_calculation(agent: Agent, lines: Sequence[tuple[Any, ...]]) -> None:
    end = len(lines) + 2
    total = "Total", *(f"=SUM({column}2:{column}{end - 1})" for column in "BC")
    pairs = [*((name, before, after) for name, _, before, after in lines), total]
    rows = [[*pair, f"=C{at}-B{at}", f"=D{at}/B{at}"] for at, pair in enumerate(pairs, 2)]
    rows = [["Market", "Before", "After", "Difference", "Difference %"], *rows]
    write_book(agent, BOOK, {"Restatement": rows}, {"Restatement": f"B2:D{end}"})
    agent.call("format_cells", path=BOOK, sheet="Restatement", range=f"E2:E{end}", number_format="0.00%")


def _change_table(name: str, change_rows: Callable[[list[Row], Facts], object]) -> Miss:
    """The rows of a table are others."""
    return misses.table_changed(lambda facts: facts["changes"][name]["table"], change_rows, caught_by=name)


def _find_sale(rows: list[Row], number: int) -> Row:
    return next(row for row in rows if row["SALE_ID"] == number)


def _leave_currency_rates(rows: list[Row], facts: Facts) -> None:
    old = {(row["DAY"], row["CURRENCY"]): row["RATE"] for row in facts["changes"]["rates"]["removed"]}
    for row in rows:
        if row["CURRENCY"] == facts["pair"][0]:
            row["RATE"] = old.get((str(row["DAY"]), row["CURRENCY"]), row["RATE"])


def _first_version_gone(rows: list[Row], _facts: Facts) -> None:
    rows[:] = [row for row in rows if (str(row["MONTH"])[:7], row["VERSION"]) != (MONTH, 1)]


in_book = misses.InSheet(BOOK, "Restatement")
near_miss_one_currency_forgotten = _change_table("rates", _leave_currency_rates)
near_miss_contract_converted_too = _change_table(
    "facts", lambda rows, facts: _find_sale(rows, facts["agreed"]).update(RATE=1.5)
)
near_miss_weekend_forgotten = _change_table(
    "facts", lambda rows, facts: _find_sale(rows, facts["weekend"]).update(AMOUNT_EUR=7)
)
near_miss_double_left = _change_table("facts", lambda rows, facts: rows.append({**_find_sale(rows, facts["twice"])}))
near_miss_two_alike_taken_for_one = _change_table(
    "facts", lambda rows, facts: rows.remove(_find_sale(rows, facts["alike"]))
)
near_miss_published_figures_overwritten = _change_table("summary", _first_version_gone)
near_miss_late_sale_not_counted = _change_table("summary", lambda rows, _: rows[-1].update(SALES=rows[-1]["SALES"] - 1))
near_miss_title_as_before = misses.change_records(
    "notes", "UPDATE pages SET title = :month WHERE id = :page", caught_by="title"
)
near_miss_notice_at_the_end = misses.change_records(
    "notes", "UPDATE blocks SET position = 99 WHERE page_id = :page AND kind = 'callout'", caught_by="notice"
)
near_miss_remark_lost = misses.change_records(
    "notes", "DELETE FROM blocks WHERE page_id = :page AND kind = 'bulleted_list_item'", caught_by="rest"
)
near_miss_register_forgotten = misses.change_records(
    "notes",
    'UPDATE pages SET "values" = replace("values", \'"Restated"\', \'"Draft"\') WHERE id = :row',
    caught_by="register",
)
near_miss_values_pasted = in_book.frozen("Difference", "Difference %", caught_by="formulas")
near_miss_before_and_after_changed = in_book.column(
    "Before", lambda _old, row, _work: row["After"], caught_by="amounts", where=lambda row: row["Market"] != "Total"
)
