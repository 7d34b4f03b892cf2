"""fakesnow, another translation of Snowflake's SQL, agrees: it runs in an environment of its own."""

import json
import subprocess
from pathlib import Path

import pytest
from support.answers import Call
from support.live_programs import needed_program

from yardkit.world import World

PYTHON = Path(__file__).parents[3] / ".tools" / "fakesnow" / "bin" / "python"
pytestmark = [pytest.mark.drill, pytest.mark.live]
STATEMENTS = [
    "SELECT region, COUNT(*), SUM(amount) FROM orders GROUP BY region ORDER BY region",
    "SELECT id, ROW_NUMBER() OVER (PARTITION BY region ORDER BY id) AS n FROM orders ORDER BY id, n",
    "SELECT region, SUM(pieces) AS s FROM orders GROUP BY ROLLUP(region) ORDER BY s, region",
    "SELECT DISTINCT region FROM orders WHERE amount IS NOT NULL ORDER BY 1",
    "SELECT id FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY region ORDER BY id DESC) = 1 ORDER BY id",
    "SELECT DATE_TRUNC('month', day) AS m, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1",
    "SELECT DATEDIFF(day, MIN(day), MAX(day)) FROM orders",
    "SELECT DATEADD(day, 3, day) AS d FROM orders WHERE id = 1",
    "SELECT IFF(amount > 100, 'big', 'small') AS size, COUNT(*) FROM orders GROUP BY 1 ORDER BY 1",
    "SELECT LISTAGG(DISTINCT region, ',') WITHIN GROUP (ORDER BY region) FROM orders",
    "SELECT NVL(amount, 0), ZEROIFNULL(amount) FROM orders ORDER BY id, amount",
    "SELECT o.id, r.head FROM orders o LEFT JOIN regions r ON r.name = o.region ORDER BY o.id",
    "WITH big AS (SELECT * FROM orders WHERE pieces > 1) SELECT COUNT(*) FROM big",
    "SELECT MEDIAN(pieces), MAX_BY(region, pieces) FROM orders",
    "SELECT SPLIT_PART('a-b-c', '-', 2), UPPER(LEFT('hello', 2)), CHARINDEX('l', 'hello')",
    'SELECT PARSE_JSON(\'{"a": {"b": "x"}}\'):a.b::string',
    "SELECT YEAR(day), MONTH(day), DAYNAME(day) FROM orders WHERE id = 2",
    "SELECT MIN(region), MAX(day) FROM orders HAVING COUNT(*) > 3",
    "SELECT region FROM orders UNION SELECT name FROM regions ORDER BY 1",
    "SELECT COUNT_IF(amount > 50), ROUND(AVG(amount), 2) FROM orders",
]
SCRIPT = """
import json, sys, fakesnow
facts = json.load(sys.stdin)
with fakesnow.patch():
    import snowflake.connector
    cursor = snowflake.connector.connect(database="SALES", schema="PUBLIC").cursor()
    cursor.execute("CREATE TABLE orders (id INT, region VARCHAR, day DATE, amount NUMBER(12,2), pieces INT)")
    cursor.execute("CREATE TABLE regions (name VARCHAR, head VARCHAR)")
    for table, rows in facts["tables"].items():
        for row in rows:
            values = ", ".join("NULL" if v is None else repr(v) for v in row)
            cursor.execute(f"INSERT INTO {table} VALUES ({values})")
    print(json.dumps([[list(map(str, row)) for row in cursor.execute(sql).fetchall()] for sql in facts["statements"]]))
"""


def test_both_give_the_same_rows(shop: World, rows: Call, tmp_path: Path) -> None:
    tables = {
        "orders": rows("SELECT id, region, day, amount, pieces FROM orders"),
        "regions": rows("SELECT name, head FROM regions"),
    }
    ours = [rows(sql, "snowflake") for sql in STATEMENTS]
    (tmp_path / "other.py").write_text(SCRIPT)
    done = subprocess.run(
        [needed_program(str(PYTHON)), str(tmp_path / "other.py")],
        input=json.dumps({"tables": tables, "statements": STATEMENTS}),
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    for sql, mine, other in zip(STATEMENTS, ours, json.loads(done.stdout.splitlines()[-1]), strict=True):
        assert [[to_text(cell) for cell in row] for row in mine] == [
            [to_text(cell) for cell in row] for row in other
        ], sql


def to_text(cell: object) -> str:
    """A value as text, whatever its type: whole numbers without a fraction, times of midnight as days."""
    text = str(cell)
    try:
        return f"{float(text):g}"
    except ValueError:
        return text.removesuffix(" 00:00:00").removesuffix("T00:00:00")
