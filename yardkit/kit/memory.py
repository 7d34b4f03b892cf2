"""What a server remembers between calls, bounded by bytes: worlds come and go, and no agent can fill the memory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Memory(Generic[Key, Value]):
    """Values by their keys. The longest unused are forgotten first. Threads may share it.

    `most` bounds the bytes of all values together; one that has more than a fortieth of them is not kept at all.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def recall(self, key: Key, make: Callable[[], Value], measure: Callable[[Value], int]) -> Value:
        """The value of a key, made where it is not known; `measure` says how many bytes it has, roughly."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key][0]
        value = make()
        size = measure(value)
        if size * 40 <= self.most:
            with self._lock:
                self._size += size - self._values.pop(key, (value, 0))[1]
                self._values[key] = (value, size)
                while self._size > self.most:
                    self._size -= self._values.popitem(last=False)[1][1]
        return value
