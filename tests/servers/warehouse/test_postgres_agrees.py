"""What expressions of PostgreSQL mean, as PostgreSQL itself works them out."""

from typing import Any

import psycopg
import pytest
from psycopg.types.string import TextLoader
from support.answers import Call

from yardkit.servers.warehouse.engine.cells import to_result_value
from yardkit.world import World

pytestmark = [pytest.mark.drill, pytest.mark.live]
T = """CREATE TABLE {name} AS SELECT 1::BIGINT id, 7::BIGINT n, DATE '2026-03-15' d, TIMESTAMP '2026-03-15 13:45:06' ts,
TIMESTAMPTZ '2026-03-15 13:45:06+00' tz, 1234.50::DECIMAL(12, 2) amount, 0.5::FLOAT8 f, 'Ada, Bob'::VARCHAR AS name"""
EXPRESSIONS = """
7 / 2
-7 / 2
9007199254740993 / 1
SUM(n) / 2
SUM(id::int) / 2
(5 / 2.0)::int
ROUND(2.01 / 2, 2)
ROUND(1234.5 / 1, -2)
ROUND(AVG(2.675), 2)
ROUND((SELECT AVG(x) FROM (VALUES (1.00), (1.01)) v(x)), 2)
(2.01 / 2)::numeric(5, 2)
TO_CHAR(2.01 / 2, 'FM9.00')
FLOOR(0.7 / 0.1)
CEIL(0.3 / 0.1)
1.23456::numeric
'1.23456'::numeric
0.1::float8::numeric
DATE_TRUNC('month', d)
DATE_TRUNC('month', d)::date
DATE_TRUNC('week', ts)
EXTRACT(MONTH FROM DATE_TRUNC('month', d))
DATE_TRUNC('day', d) AT TIME ZONE 'UTC'
AGE(DATE '2026-03-15', DATE '2024-01-31')
AGE(DATE '2024-01-31', DATE '2026-03-15')
EXTRACT(YEAR FROM AGE(d, DATE '1980-05-01'))
ts - TIMESTAMP '2026-03-01'
INTERVAL '1 year 2 months 3 days 04:05:06'
INTERVAL '1.5 months'
INTERVAL '1.5 hours'
INTERVAL '1 day 02:00'
INTERVAL '1 day ago'
INTERVAL '-1 day 2 hours'
INTERVAL '1 day' * 1.5
'in ' || INTERVAL '2 months'
(INTERVAL '-1 month 1 day')::text
ts + INTERVAL '1.5 days'
U&'d\\0061t\\+000061'
U&'d!0061' UESCAPE '!'
SUBSTR('hello', -1, 3)
SPLIT_PART('a,b,c', ',', -1)
CONCAT('a', NULL, 'b')
'a' || NULL
'ABC' ILIKE 'a%'
'abc' ~* '^A'
REGEXP_REPLACE('aaa', 'a', 'b')
REGEXP_REPLACE('Aaa', 'a', 'b', 'gi')
INITCAP('hello wORLD-foo')
LPAD('abc', 2, '*')
ROUND(2.5::float8)
2.5::float8::int
2.5::int
MOD(-7, 3)
ARRAY_TO_STRING(ARRAY[1, NULL, 3], ',')
1 NOT IN (SELECT NULL::int UNION SELECT 2)
TIMESTAMPTZ '2026-07-15 12:00+00' AT TIME ZONE 'Europe/Berlin'
EXTRACT(ISODOW FROM d)
DATE '2026-01-31' + INTERVAL '1 month'
INTERVAL '1 month' = INTERVAL '30 days'
TO_CHAR(1234.5, '9,999.99')
TO_DATE('15/03/26', 'DD/MM/YY')
""".strip().split("\n")


def test_expressions_mean_what_postgresql_says(shop: World, server: str, done: Call, rows: Call) -> None:
    done("change_warehouse", sql=T.format(name="sales.public.t"))
    here = {text: rows(f"SELECT {text} FROM sales.public.t", "postgres")[0][0] for text in EXPRESSIONS}
    there: dict[str, Any] = {}
    with psycopg.connect(server) as connection:
        connection.adapters.register_loader("interval", TextLoader)
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(T.format(name="pg_temp.t"))
        for text in EXPRESSIONS:
            row = connection.execute(f"SELECT {text} FROM pg_temp.t".encode()).fetchone()
            there[text] = to_result_value(row[0]) if row else None
    assert here == there
