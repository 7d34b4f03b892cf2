"""What a server remembers is bounded by bytes, whatever comes and goes."""

from hypothesis import given
from hypothesis import strategies as st

from yardkit.kit.memory import Memory


def test_a_value_is_made_once_and_the_longest_unused_is_forgotten() -> None:
    memory, made_keys = Memory[int, int](100), list[int]()

    def recall(key: int) -> None:
        memory.recall(key, lambda: made_keys.append(key) or key, lambda _: 2)

    for key in (*range(50), 0, 50, 0, 1):
        recall(key)
    assert made_keys == [*range(51), 1]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 60)), max_size=200))
def test_all_values_together_have_no_more_bytes_than_allowed(calls: list[tuple[int, int]]) -> None:
    memory = Memory[tuple[int, int], bytes](400)
    for key, size in calls:
        assert len(memory.recall((key, size), lambda size=size: bytes(size), len)) == size  # type: ignore[misc]
    assert sum(size for _, size in memory._values.values()) == memory._size <= 400
