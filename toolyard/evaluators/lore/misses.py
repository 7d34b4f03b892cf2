"""Near misses of every generated task: what agents get wrong that seem to be nearly there."""

from toolyard.evaluators.proof import Solved, killed_by


@killed_by("answer")
def miss_an_earlier_value(work: Solved) -> None:
    """The result of the last operation but one instead of the value that was asked for."""
    work.answer = work.facts["chain"][-2].rpartition("%")[2] + "x"


@killed_by("answer")
def miss_every_candidate_listed(work: Solved) -> None:
    """The right value among others."""
    work.answer = f"{work.facts['answer']} or {work.facts['answer'][::-1]}x"


@killed_by("answer", "read_10")
def miss_halted_before_the_end(work: Solved) -> None:
    """The last document was never read."""
    last = work.facts["chain"][-1]
    work.calls[:] = [call for call in work.calls if call["arguments"].get("doc_id") != last]
    work.answer = "The value was not found."


@killed_by("read_5")
def miss_half_the_way(work: Solved) -> None:
    """The answer is right and nobody knows from where: most documents were never opened."""
    work.calls[:] = work.calls[: len(work.calls) // 3]


@killed_by("no_guessing")
def miss_ids_tried_by_the_hundred(work: Solved) -> None:
    """Keys were tried until one fitted."""
    tried = {**work.calls[-1], "error": "there is no document with this id"}
    work.calls += [tried] * (1000 + 20 * len(work.facts["chain"]))
