"""Solving generated documents with the tool and the prompt alone: read what is known, work out what follows, read on.

A `Mind` says how well that is done: the proofs' is perfect, the scripted agent's makes mistakes and forgets.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Protocol

from yardkit.benchmarks.lore.solving.picture_decoder import count_objects, formula_value, read_rule
from yardkit.evaluators.proof import Agent, ToolFailed

Value = int | str
NO_ANSWER = "The value was not found."
_SENTENCE = re.compile(
    r"(?:Field |Parameter |Entry |The value of )?\bv(\d+)(?:: | = | contains | is set to | is | reads )"
    r"(-?\d+|[A-Za-z]+)\.(?= |$)"
)
_VALUE_IN_PICTURE = re.compile(r"\bv(\d+) is the (?:number of|value of) (.+?) in the picture\.")
_FORMULA = "the formula"
_EXPRESSION = "the expression in the picture"
_TARGET = re.compile(r"'(v\d+)%X'")
_NAME = re.compile(r"'(v\d+%-?[A-Za-z0-9]+)'")
_VARIABLE = re.compile(r"\bv(\d+)\b(?!%)")
_DIGITS = re.compile(r"(\d+)[ -]digit")
_DIVISOR = re.compile(r"division by (\d+)")
_READ = re.compile(r"\b(v\d+%-?[A-Za-z0-9]+)")


class Mind(Protocol):
    """How an agent thinks."""

    def worked_out(self, value: Value) -> Value:
        """What it takes for the result of an operation whose result is `value`."""

    def forgets(self, value_count: int) -> bool:
        """Whether it loses the oldest of `held` values that it keeps for later."""


class Perfect:
    """Makes no mistake and forgets nothing."""

    def worked_out(self, value: Value) -> Value:
        return value

    def forgets(self, value_count: int) -> bool:  # noqa: ARG002 - the protocol's argument
        return False


@dataclass(frozen=True)
class Page:
    """What a document says: values by variable; a rule with what it is over, and for what; other documents."""

    values: dict[str, Value] = field(default_factory=dict)
    rule: str = ""
    over: tuple[str, ...] = ()
    target: str = ""
    others: tuple[str, ...] = ()


Read = Callable[[str], Page]


def make_reader(agent: Agent) -> Read:
    """Reads documents that are all words."""
    return lambda name: page_of(agent.text("read_lore_document", doc_id=name).partition("\n")[2])


def make_picture_reader(agent: Agent, *, turned: bool = False) -> Read:
    """Reads documents of which some show their value in a picture; `turned`: it looks at a rotated view as well."""

    def read(name: str) -> Page:
        text, picture = agent.look("read_lore_document", doc_id=name)
        page = page_of(text.partition("\n")[2])
        for variable, what in _VALUE_IN_PICTURE.findall(text) if picture else ():
            if turned and what == _FORMULA:
                _, picture = agent.look("rotate_image", doc_id=name, angle=90)
            seen = formula_value(picture, variable) if what == _FORMULA else count_objects(picture, what)
            page.values[variable] = seen
        if _EXPRESSION in text:
            if turned:
                _, picture = agent.look("rotate_image", doc_id=name, angle=90)
            rule = read_rule(picture)
            page = replace(page, rule=rule, over=tuple(_VARIABLE.findall(rule)))
        return page

    return read


def page_of(text: str) -> Page:
    """What a text says."""
    values = {
        match[1]: int(match[2]) if match[2].lstrip("-").isdigit() else match[2] for match in _SENTENCE.finditer(text)
    }
    rest = _VALUE_IN_PICTURE.sub("", _SENTENCE.sub("", text))
    target = _TARGET.search(rest)
    rule = rest.partition("Documents:")[0]
    over = tuple(_VARIABLE.findall(_TARGET.sub("", rule)))
    return Page(
        values, rule if over else "", over, target[1] if target else "", tuple(_NAME.findall(_TARGET.sub("", rest)))
    )


def solve_documents(prompt: str, read: Read, mind: Mind) -> str:
    """The answer to a task of documents, in the direction that its prompt tells."""
    return (climb_to_answer if "stands for the result of a rule" in prompt else descend_to_leaves)(prompt, read, mind)


def climb_to_answer(prompt: str, read: Read, mind: Mind) -> str:
    """Bottom-up: from the documents of the prompt to the one that holds the value asked for."""
    asked, todo = asked_for(prompt), deque(starts_of(prompt))
    climber = _Climber(mind)
    while todo:
        try:
            page = read(todo.popleft())
        except ToolFailed:  # it was worked out wrongly: that lead is lost
            continue
        if asked in page.values:
            return str(page.values[asked])
        todo += page.others
        todo += climber.take_page(page)
    return NO_ANSWER


class _Climber:
    """Keeps values and rules until they meet; the rules of a variable are found without looking at all of them."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._values: dict[str, Value] = {}
        self._waiting: dict[str, list[Page]] = {}

    def take_page(self, page: Page) -> list[str]:
        """Note what a page says; the names of documents that follow from it."""
        self._values |= page.values
        while self._mind.forgets(len(self._values)):
            del self._values[next(iter(self._values))]
        ready = [rule for variable in page.values for rule in self._waiting.pop(variable, ())]
        names = []
        for rule in [*ready, *([page] if page.target else [])]:
            missing = next((name for name in rule.over if name not in self._values), None)
            if missing is None:
                result = calculate_rule(rule.rule, [self._values[name] for name in rule.over])
                names.append(f"{rule.target}%{self._mind.worked_out(result)}")
                for name in rule.over:
                    del self._values[name]
            else:
                self._waiting.setdefault(missing, []).append(rule)
        return names


def descend_to_leaves(prompt: str, read: Read, mind: Mind) -> str:
    """Top-down: from the root to the leaves, and with their values back."""
    asked, start = asked_for(prompt), starts_of(prompt)[0]
    pages: dict[str, Page] = {}
    todo = [start]
    while todo:
        name = todo.pop()
        if name not in pages:
            pages[name] = read(name)
            todo += pages[name].others
    values: dict[str, Value] = {}
    for name in children_first(start, lambda name: pages[name].others):
        page = pages[name]
        values |= page.values
        if page.over:
            result, *over = page.over
            values[result] = mind.worked_out(calculate_rule(page.rule, [values[text] for text in over]))
    return str(values[asked])


def children_first(start: str, children: Callable[[str], Iterable[str]]) -> Iterable[str]:
    """All names from `start` on, each behind its children."""
    done: dict[str, None] = {}
    todo = [start]
    while todo:
        open_children = [child for child in children(todo[-1]) if child not in done]
        if open_children:
            todo += open_children
        else:
            done.setdefault(todo.pop())
    return done


def starts_of(prompt: str) -> list[str]:
    """The documents that the prompt names to begin with."""
    return _READ.findall(prompt.partition("Begin with these documents:")[2])


def asked_for(prompt: str) -> str:
    """The variable whose value the prompt asks for, without its ``v``."""
    return str(re.findall(r"value of v(\d+)", prompt)[0])


def calculate_rule(rule: str, values: list[Value]) -> Value:
    """The result of a rule in words."""
    if "text" in rule:
        return "".join(str(value) for value in values)
    numbers = [int(value) for value in values]
    digits, divisor = _DIGITS.search(rule), _DIVISOR.search(rule)
    if digits:
        result = int("".join(f"{number:0{digits[1]}}" for number in numbers))
    elif " minus " in rule or " - " in rule:
        result = numbers[0] - sum(numbers[1:])
    else:
        result = sum(numbers)
    return result % int(divisor[1]) if divisor else result
