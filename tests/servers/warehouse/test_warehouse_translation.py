"""What statements of Snowflake and BigQuery mean is worked out, above all where a plain translation is wrong."""

from typing import Any

import pytest
from support.answers import Call

from yardkit.world import World

T = """CREATE TABLE sales.public.t AS SELECT 1::BIGINT id, DATE '2026-03-15' d, TIMESTAMP '2026-03-15 13:45:06' ts,
TIMESTAMPTZ '2026-03-15 13:45:06+00' tz, 1234.50::DECIMAL(12,2) amount, 0.5::DOUBLE f, 'Ada, Bob' AS name,
[3, 1, 2]::BIGINT[] arr, '{"a": {"b": "x"}, "n": 7, "items": [{"name": "p", "q": 1}, {"name": "r", "q": 2}]}'::JSON v"""
TWO_ROWS = "SELECT 1 AS x UNION ALL SELECT 2"
BIGQUERY = {
    "EXTRACT(DAYOFWEEK FROM d)": 1,
    "EXTRACT(WEEK FROM DATE '2026-01-03')": 0,
    "EXTRACT(WEEK(MONDAY) FROM d)": 10,
    "EXTRACT(ISOWEEK FROM d)": 11,
    "EXTRACT(DATE FROM tz)": "2026-03-15",
    "EXTRACT(HOUR FROM tz)": 13,
    "DATE_TRUNC(d, WEEK)": "2026-03-15",
    "DATE_TRUNC(d, WEEK(MONDAY))": "2026-03-09",
    "DATE_TRUNC(d, MONTH)": "2026-03-01",
    "TIMESTAMP_TRUNC(tz, HOUR)": "2026-03-15T13:00:00+00:00",
    "DATETIME_TRUNC(ts, MONTH)": "2026-03-01T00:00:00",
    "DATE_DIFF(DATE '2026-03-15', DATE '2026-03-14', WEEK)": 1,
    "DATE_DIFF(DATE '2026-03-16', DATE '2026-03-15', ISOWEEK)": 1,
    "TIMESTAMP_DIFF(TIMESTAMP '2026-01-01 01:30:00', TIMESTAMP '2026-01-01 00:45:00', HOUR)": 0,
    "DATETIME_DIFF(DATETIME '2026-01-01 01:30:00', DATETIME '2026-01-01 00:45:00', HOUR)": 1,
    "DATE_ADD(d, INTERVAL 1 MONTH)": "2026-04-15",
    "DATE_SUB(d, INTERVAL 1 WEEK)": "2026-03-08",
    "DATETIME_ADD(ts, INTERVAL 90 MINUTE)": "2026-03-15T15:15:06",
    "FORMAT_DATE('%Q/%Y', d)": "1/2026",
    "FORMAT_DATE('%b %e', DATE '2026-03-05')": "Mar  5",
    "FORMAT_DATE('%G-W%V', d)": "2026-W11",
    "PARSE_DATE('%d/%m/%Y', '01/02/2026')": "2026-02-01",
    "PARSE_TIMESTAMP('%Y-%m-%d %H:%M', '2026-02-01 10:30')": "2026-02-01T10:30:00+00:00",
    "DATE(TIMESTAMP '2026-03-15 20:00:00+00', 'Asia/Tokyo')": "2026-03-16",
    "CURRENT_DATE('Pacific/Kiritimati')": "2026-03-16",
    "CURRENT_DATETIME('Europe/Berlin')": "2026-03-16T10:00:00",
    "SAFE.PARSE_DATE('%Y', 'x')": None,
    "SAFE_CAST(name AS INT64)": None,
    "SAFE_DIVIDE(1, 0)": None,
    "CAST(f AS INT64)": 1,
    "CAST(1234.567 AS NUMERIC)": 1234.567,
    "(SELECT ARRAY_AGG(a ORDER BY a DESC LIMIT 2) FROM UNNEST([1, 2, 3]) a)": [3, 2],
    "(SELECT STRING_AGG(a ORDER BY a DESC LIMIT 2) FROM UNNEST(['x', 'y', 'z']) a)": "z,y",
    "(SELECT ARRAY_AGG(a IGNORE NULLS) FROM UNNEST([1, NULL, 3]) a)": [1, 3],
    "(SELECT SUM(a * o) FROM UNNEST(arr) AS a WITH OFFSET o)": 5,
    "FORMAT('%05d is %s, %t', id, name, d)": "00001 is Ada, Bob, 2026-03-15",
    'FORMAT("%\'d %.1f%%", 1234567, 12.34)': "1,234,567 12.3%",
    "arr[OFFSET(0)]": 3,
    "arr[SAFE_OFFSET(9)]": None,
    "JSON_VALUE(v, '$.a.b')": "x",
    "SPLIT(name, ', ')[OFFSET(1)]": "Bob",
    "REGEXP_EXTRACT(name, r'([A-Z])')": "A",
    "REGEXP_EXTRACT(name, r'\\d')": None,
    "REGEXP_EXTRACT('bbb', r'a*')": "",
    "IFNULL(REGEXP_EXTRACT('abc', r'(\\d)'), 'none')": "none",
    "FORMAT_TIMESTAMP('%F %T %z', tz, 'Asia/Kolkata')": "2026-03-15 19:15:06 +0530",
    "FORMAT_TIMESTAMP('%H %Z', tz)": "13 UTC",
    "STRING(tz, 'America/New_York')": "2026-03-15 09:45:06-04",
    "PARSE_TIMESTAMP('%F %T', '2026-03-30 01:30:00', 'Europe/Berlin')": "2026-03-29T23:30:00+00:00",
    "IEEE_DIVIDE(-1, 0)": "-inf",
    "SUBSTR('hello', 0, 2)": "he",
    "SUBSTR('hello', -9, 2)": "he",
    "SUBSTR('hello', -3, 2)": "ll",
    "INSTR('hello', 'l', -1)": 4,
    "'a_c' LIKE r'a\\_c'": True,
    "SAFE_CAST('2.5' AS INT64)": None,
    "SAFE_ADD(9223372036854775807, 1)": None,
    "SAFE_NEGATE(id)": -1,
    "EXTRACT(MILLISECOND FROM TIMESTAMP '2026-03-15 03:00:01.250+00')": 250,
    "GENERATE_DATE_ARRAY('2026-01-31', '2026-03-31', INTERVAL 1 MONTH)": ["2026-01-31", "2026-02-28", "2026-03-31"],
    "DATE_FROM_UNIX_DATE(9)": "1970-01-10",
    "TIMESTAMP_MILLIS(1773576306000)": "2026-03-15T12:05:06+00:00",
    "JSON_TYPE(JSON '5')": "number",
    "STRING(JSON '\"x\"')": "x",
    "7 / 2": 3.5,
    "DIV(7, 2)": 3,
    "INITCAP('ab cd')": "Ab Cd",
    "2 IN UNNEST(arr)": True,
    "INTERVAL 90 MINUTE": "0-0 0 1:30:0",
    "INTERVAL -3 DAY": "0-0 -3 0:0:0",
    "CAST(amount AS STRING)": "1234.5",
    "CAST(2.0 AS STRING)": "2",
    "ROUND(NUMERIC '2.01' / 2, 2)": 1.01,
    "NUMERIC '100' / 7": 14.285714286,
    "FORMAT('%T %T %T', name, d, amount)": '"Ada, Bob" DATE "2026-03-15" NUMERIC "1234.5"',
    "FORMAT('%T', 'a\"b')": "'a\"b'",
    "FORMAT('%t|%T', NULL, id)": "NULL|1",
    "ARRAY_LENGTH([1, NULL])": 2,
    "CAST(NULL AS ARRAY<INT64>)": [],
    "v['items'][0].name": '"p"',
}
POSTGRES = {
    "TO_CHAR(d, 'FMDay, DD FMMonth YYYY')": "Sunday, 15 March 2026",
    "TO_CHAR(d, 'Day|MON|dy')": "Sunday   |MAR|sun",
    "TO_CHAR(d, 'IYYY-\"W\"IW Q D ID WW')": "2026-W11 1 1 7 11",
    "TO_CHAR(DATE '2026-03-05', 'FMDD.FMMM.YY')": "5.3.26",
    "TO_CHAR(ts, 'HH:MI:SS am')": "01:45:06 pm",
    "TO_CHAR(amount, 'FM9,999.00')": "1,234.50",
    "TO_CHAR(-0.5, '9.99')": " -.50",
    "TO_CHAR(5, '0,000')": " 0,005",
    "TO_CHAR(12345, '999')": " ###",
    "TO_CHAR(1200, 'FM9,999.99')": "1,200.",
    "TO_DATE('5 Mar 2026', 'DD Mon YYYY')": "2026-03-05",
    "TO_TIMESTAMP('2026-03-05 07:08', 'YYYY-MM-DD HH24:MI')": "2026-03-05T07:08:00+00:00",
    "MAKE_INTERVAL(days => 10) + d": "2026-03-25T00:00:00",
    "EXTRACT(SECOND FROM TIMESTAMP '2026-03-15 12:05:06.5')": 6.5,
    "SUBSTR('hello', -1, 3)": "h",
    "SUBSTRING('hello', id::int + 1, 2)": "el",
    "'a_c' LIKE 'a\\_c'": True,
    "'abc' LIKE 'a\\_c'": False,
    "'x' LIKE ANY (ARRAY['x%', 'y'])": True,
    "'abc.' SIMILAR TO '(a|b)%.'": True,
    "FORMAT('%s-%s%%', 'a', NULL)": "a-%",
    "ROUND(2.5)": 3,
    "ROUND(f * 5)": 2.0,
    "2.0::float8 || 'x'": "2x",
    "'12 '::int": 12,
    "ARRAY_LENGTH(ARRAY[]::int[], 1)": None,
    "REGEXP_MATCH('a1b2', '([a-z])(\\d)')": ["a", "1"],
    "REGEXP_MATCH('a', '\\d')": None,
    "REGEXP_SUBSTR('a1', '\\d')": "1",
    "TO_HEX(255)": "ff",
    "id = '1'": True,
    "ROUND(2.01 / 2, 2)": 1.01,
    "(2.01 / 2)::numeric(5, 2)": 1.01,
    "TO_CHAR(2.01 / 2, 'FM9.00')": "1.01",
    "FLOOR(0.7 / 0.1)": 7,
    "(5 / 2.0)::int": 3,
    "1.23456::numeric": 1.23456,
    "9007199254740993 / 1": 9007199254740993,
    "DATE_TRUNC('month', d)": "2026-03-01T00:00:00+00:00",
    "EXTRACT(DAY FROM DATE_TRUNC('month', d))": 1,
    "AGE(d, DATE '2024-01-31')": "2 years 1 mon 15 days",
    "'in ' || INTERVAL '-1 month 1 day'": "in -1 mons +1 day",
    "INTERVAL '1.5 months'": "1 mon 15 days",
    "INTERVAL '1 day 02:00 ago'": "-1 days -02:00:00",
    "ts + INTERVAL '1.5 hours'": "2026-03-15T15:15:06",
    "U&'d!0061t\\' UESCAPE '!'": "dat\\",
}
SNOWFLAKE = {
    "OBJECT_CONSTRUCT('a', id, 'b', NULL)": '{"a":1}',
    "2::float::string": "2",
    "ts::string": "2026-03-15 13:45:06.000",
    "'x' || 2::float || 'y'": "x2y",
    "TO_CHAR(7, '000')": " 007",
    "'a_c' LIKE 'a\\\\_c'": False,
    "DATEADD(day, 3, d)": "2026-03-18",
    "DATEADD(hour, 1, d)": "2026-03-15T01:00:00",
    "DATE_TRUNC('month', d)": "2026-03-01",
    "DATEDIFF(week, '2026-03-15'::date, '2026-03-16'::date)": 1,
    "TO_VARCHAR(d, 'YYYY-MM-DD')": "2026-03-15",
    "TO_CHAR(ts, 'DD.MM.YYYY HH24:MI:SS')": "15.03.2026 13:45:06",
    "TO_CHAR(d, 'MMMM DD, YYYY')": "March 15, 2026",
    "TO_CHAR(d, 'YYYY\"W\"MM')": "2026W03",
    "TRIM(TO_VARCHAR(amount, '999,990.00'))": "1,234.50",
    "TO_DATE('01/02/2026', 'DD/MM/YYYY')": "2026-02-01",
    "DAYOFWEEK(d)": 0,
    "WEEK(d)": 11,
    "CURRENT_TIMESTAMP()": "2026-03-16T09:00:00+00:00",
    "SYSDATE()": "2026-03-16T09:00:00",
    "CONVERT_TIMEZONE('UTC', 'Europe/Berlin', ts)": "2026-03-15T14:45:06",
    "v:a.b::string": "x",
    "v:n::int": 7,
    "v:a.b": '"x"',
    "v['a']['b']::varchar": "x",
    "v:items[0]:name::string": "p",
    "ARRAY_SIZE(v:items)": 2,
    "TYPEOF(v:n)": "INTEGER",
    "UPPER(v:a.b)": "X",
    "v:a.b = 'x'": True,
    "v:n > 5": True,
    "v:a.b || 'y'": "xy",
    "v:zz::string": None,
    "TO_NUMBER('12.6')": 13,
    "0.5::float::int": 1,
    "CAST(3000000000 AS INT)": 3000000000,
    "1.1::float": 1.1,
    "CAST('12.5' AS NUMBER)": 13,
    "LOG(10, 100)": 2.0,
    "GREATEST(1, NULL)": None,
    "CONCAT('a', NULL)": None,
    "DIV0(1, 0)": 0,
    "DECODE(NULL, NULL, 'n', 'x')": "n",
    "SPLIT_PART(name, ', ', -1)": "Bob",
    "REGEXP_LIKE('abc', 'b')": False,
    "REGEXP_SUBSTR('a1b22', '[0-9]+', 1, 2)": "22",
    "REGEXP_SUBSTR('abc', '[0-9]')": None,
    "REGEXP_SUBSTR('abc', 'b(c)', 1, 1, 'e')": "c",
    "CHARINDEX('l', 'hello')": 3,
    "TRY_CAST('four' AS VARCHAR(3))": None,
    "1 / 3": 0.333333,
    "(1 / 3)::string": "0.333333",
    "amount / 7": 176.35714286,
    "1.00000000 / 3": 0.333333333333,
    "f / 3": 0.16666666666666666,
    "ROUND(2.01 / 2, 2)": 1.01,
    "(SELECT AVG(x) FROM (SELECT 1 AS x UNION ALL SELECT 2))::string": "1.500000",
    "d + INTERVAL '1 month, 2 days'": "2026-04-17",
    "INTERVAL '1 year'": "1 year",
    "(SELECT LISTAGG(x, ',') FROM (SELECT NULL::varchar AS x))": "",
    "(SELECT ARRAY_AGG(x) FROM (SELECT NULL::int AS x))": [],
}


def make_table(shop: World, done: Call) -> None:
    done("change_warehouse", sql=T)


@pytest.mark.parametrize(
    ("dialect", "meant"), [("bigquery", BIGQUERY), ("snowflake", SNOWFLAKE), ("postgres", POSTGRES)]
)
def test_expressions_mean_what_they_mean_there(
    shop: World, done: Call, rows: Call, dialect: str, meant: dict[str, Any]
) -> None:
    make_table(shop, done)
    listed = ", ".join(f"{expression} AS c{place}" for place, expression in enumerate(meant))
    (row,) = rows(f"SELECT {listed} FROM sales.public.t", dialect)
    assert dict(zip(meant, row, strict=True)) == meant


@pytest.mark.parametrize(
    ("dialect", "sql", "meant"),
    [
        (
            "snowflake",
            "SELECT f.value:name::string, f.index, f.key FROM t, LATERAL FLATTEN(input => v:items) f ORDER BY f.index",
            [["p", 0, None], ["r", 1, None]],
        ),
        ("snowflake", "SELECT f.key, f.value::string FROM t, TABLE(FLATTEN(v, path => 'a')) f", [["b", "x"]]),
        ("snowflake", "SELECT id, f.value FROM t, LATERAL FLATTEN(input => v:nope, outer => true) f", [[1, None]]),
        (
            "snowflake",
            'SELECT f.path, f.index, f.this::string FROM TABLE(FLATTEN(PARSE_JSON(\'{"x": [1, {"y z": 2}]}\'), '
            "recursive => true)) f",
            [
                ["x", None, '{"x":[1,{"y z":2}]}'],
                ["x[0]", 0, '[1,{"y z":2}]'],
                ["x[1]", 1, '[1,{"y z":2}]'],
                ["x[1]['y z']", None, '{"y z":2}'],
            ],
        ),
        (
            "snowflake",
            "SELECT f.path FROM TABLE(FLATTEN(PARSE_JSON('{\"b\": [7, 8]}'), path => 'b')) f",
            [["b[0]"], ["b[1]"]],
        ),
        ("snowflake", "SELECT COUNT(*) FROM TABLE(FLATTEN(PARSE_JSON('5'))) f", [[0]]),
        ("snowflake", "SELECT COUNT(*) FROM TABLE(FLATTEN(PARSE_JSON('[1]'), mode => 'OBJECT')) f", [[0]]),
        *(
            (dialect, f"SELECT x, * FROM ({TWO_ROWS}) ORDER BY {order}", [[2, 2], [1, 1]])
            for dialect in ("snowflake", "bigquery", "postgres", "duckdb")
            for order in ("1 DESC", "2 DESC")
        ),
        (
            "postgres",
            "SELECT 'abcdef'::varchar(3), substring('foobar' from 'o(.)b'), substring('x' from 'y'), 7 / 2",
            [["abc", "o", None, 3]],
        ),
        ("snowflake", "SELECT SUM(f.value::int) FROM t, LATERAL FLATTEN(input => arr) f", [[6]]),
        (
            "snowflake",
            "SELECT s.index, s.value FROM t, LATERAL SPLIT_TO_TABLE(name, ', ') s ORDER BY 1",
            [[1, "Ada"], [2, "Bob"]],
        ),
        ("snowflake", "SELECT $2, column1 FROM VALUES (1, 'a'), (2, 'b') ORDER BY 2", [["a", 1], ["b", 2]]),
        ("snowflake", "SELECT SEQ4() FROM TABLE(GENERATOR(ROWCOUNT => 2))", [[0], [1]]),
        ("snowflake", "SELECT x FROM (SELECT NULL x UNION ALL SELECT 1) ORDER BY x DESC", [[None], [1]]),
        ("bigquery", "SELECT x FROM (SELECT NULL x UNION ALL SELECT 1) ORDER BY x", [[None], [1]]),
        (
            "bigquery",
            "SELECT a, o FROM `sales.public.t`, UNNEST(arr) AS a WITH OFFSET AS o ORDER BY o",
            [[3, 0], [1, 1], [2, 2]],
        ),
        ("bigquery", "SELECT * EXCEPT (v, arr, tz, ts, d, amount, f, name) FROM public.t", [[1]]),
        ("postgres", "SELECT SUM(id) / 2 FROM t", [[0.5]]),
        ("snowflake", "SELECT x FROM (SELECT 5 AS jan) UNPIVOT (x FOR month IN (jan)) WHERE month = 'JAN'", [[5]]),
    ],
)
def test_statements_mean_what_they_mean_there(
    shop: World, done: Call, rows: Call, dialect: str, sql: str, meant: list[Any]
) -> None:
    make_table(shop, done)
    assert rows(sql, dialect) == meant


def test_columns_are_named_as_the_warehouse_names_them(shop: World, done: Call) -> None:
    sql = "SELECT region, COUNT(*), MAX(id) AS top FROM orders GROUP BY 1"
    assert done("query_warehouse", sql=sql, dialect="snowflake")["columns"] == ["REGION", "COUNT(*)", "TOP"]
    reply = done("query_warehouse", sql=sql, dialect="bigquery")
    assert (reply["columns"], reply["types"]) == (["REGION", "f0_", "top"], ["STRING", "INT64", "INT64"])
    sql = 'WITH c AS (SELECT id AS "Mixed Name", id AS Plain, id AS "lower" FROM orders) SELECT * FROM c'
    assert done("query_warehouse", sql=sql, dialect="snowflake")["columns"] == ["Mixed Name", "PLAIN", "lower"]


@pytest.mark.parametrize(
    ("dialect", "sql", "why"),
    [
        ("snowflake", "SELECT id FROM orders START WITH id = 1 CONNECT BY PRIOR id = pieces", "CONNECT BY"),
        ("snowflake", "SELECT * FROM orders AT (OFFSET => -60)", "time travel is not supported here"),
        ("snowflake", "SELECT HASH(id) FROM orders", "specific to one warehouse"),
        (
            "snowflake",
            "SELECT TO_CHAR(day, region) FROM orders",
            "the format of TO_CHAR and TO_VARCHAR must be a quoted string here",
        ),
        ("snowflake", "SELECT TO_CHAR(day, 'QQ') FROM orders", "'Q' in the format"),
        ("bigquery", "SELECT FARM_FINGERPRINT(region) FROM orders", "specific to one warehouse"),
        ("bigquery", "SELECT CAST(id AS BIGNUMERIC) FROM orders", "NUMERIC"),
        ("bigquery", "SELECT SOUNDEX(region) FROM orders", "part of this statement cannot be executed here:"),
        ("bigquery", "SELECT SPLIT('a,b')[OFFSET(5)]", "an array index is out of bounds"),
        ("bigquery", "SELECT 1 / 0", "Division by zero"),
        ("bigquery", "SELECT SUBSTR(region, 1, -1) FROM orders", "a length cannot be negative"),
        ("bigquery", "SELECT LEFT(region, -1) FROM orders", "a length cannot be negative"),
        ("bigquery", "SELECT CAST('2.5' AS INT64)", "not a whole number: 2.5"),
        ("bigquery", "SELECT id FROM orders WHERE region = 1", "a text cannot be compared (=) with a number"),
        ("bigquery", "SELECT id FROM orders WHERE id IN ('1')", "a text cannot be compared (IN) with a number"),
        ("bigquery", "SELECT APPROX_TOP_COUNT(region, 1)[OFFSET(0)] FROM orders", "cannot be executed here"),
        ("postgres", "SELECT id FROM orders WHERE region > 1", "a text cannot be compared (>) with a number"),
        ("postgres", "SELECT '1.5'::int", "not a whole number: 1.5"),
        ("postgres", "SELECT SPLIT_PART('a', '-', 0)", "counted from 1"),
        ("postgres", "SELECT TO_CHAR(day, 'DDth') FROM orders", "'DDth' in the format"),
        ("postgres", "SELECT TO_CHAR(id, 'RN') FROM orders", "the number format 'RN' is not supported"),
        ("postgres", "SELECT QUOTE_LITERAL(region) FROM orders", "there is no function QUOTE_LITERAL here"),
        ("snowflake", "SELECT 1.5 / (pieces - 1) FROM orders", "Division by zero"),
        ("postgres", "SELECT sum(amount) / count(*) FROM orders WHERE id > 9 HAVING 1 / (count(*)) > 0", "Division by"),
        ("snowflake", "SELECT 'abcdef'::VARCHAR(3)", "longer than 3 characters"),
        ("bigquery", "SELECT CAST('abcdef' AS STRING(3))", "longer than 3 characters"),
        ("snowflake", "SELECT f.seq FROM orders, LATERAL FLATTEN(PARSE_JSON('[1]')) f", "SEQ of FLATTEN"),
        ("bigquery", "SELECT id FROM orders LIMIT", "this is not valid bigquery SQL: line 1"),
        ("bigquery", "SELECT ARRAY_AGG(a) FROM UNNEST([1, NULL]) a", "an array with a NULL element"),
        ("bigquery", "SELECT FORMAT('%d', 2.5)", "takes a whole number in BigQuery"),
        ("bigquery", "SELECT FORMAT('%*d', 5, 3)", "a part after % that is not supported"),
        ("bigquery", "SELECT CONCAT(region, id) FROM orders", "id is not a text"),
        ("bigquery", "SELECT v.items[0] FROM (SELECT JSON '{}' AS v)", "may be a place in JSON or in an array"),
        ("postgres", "SELECT id FROM orders FETCH FIRST 2 ROWS WITH TIES", "WITH TIES"),
        ("postgres", "SELECT id FROM orders WHERE id IN ()", "give at least one value"),
        ("postgres", "SELECT B'101'", "bit strings are not supported"),
        ("postgres", "SELECT '{}'::jsonb || '{}'::jsonb", "|| of JSON is not supported"),
        ("postgres", "SELECT U&'\\00'", "not a valid escape"),
        ("snowflake", "SELECT CURRENT_USER()", "there are no users, roles or sessions"),
    ],
)
def test_what_has_no_meaning_here_is_refused(shop: World, refused: Call, dialect: str, sql: str, why: str) -> None:
    assert why in refused("query_warehouse", sql=sql, dialect=dialect)
