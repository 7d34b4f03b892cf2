"""The two servers of Toolathlon, still without tools, and what their tools share."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server
from yardkit.world import Problem

mcp = make_server(
    "warehouse",
    "Tables of Snowflake, named database.schema.table; tables of BigQuery, buckets, logs and instances of a project of "
    "Google Cloud.",
)

Query = Annotated[str, Field(description="SQL statement.", min_length=1, max_length=100_000)]
Name = Annotated[str, Field(description="Its name.", min_length=1, max_length=300)]
Names = Annotated[list[Name], Field(description="Names.", min_length=1, max_length=100)]
Offset = Annotated[int, Field(description="Characters to skip; a long text says where it goes on.", ge=0)]
DatasetId = Annotated[str, Field(description="Dataset.", min_length=1, max_length=200)]
TableId = Annotated[str, Field(description="Table.", min_length=1, max_length=200)]
BucketName = Annotated[str, Field(description="Bucket.", min_length=3, max_length=63)]
BlobName = Annotated[str, Field(description="Object in the bucket.", min_length=1, max_length=900)]
Location = Annotated[str, Field(description="Where it lies.", max_length=60)]


@contextmanager
def prefix_problem(what: str) -> Iterator[None]:
    """Put the words of the foreign server before a problem."""
    try:
        yield
    except Problem as problem:
        raise type(problem)(f"{what}: {problem}") from problem
