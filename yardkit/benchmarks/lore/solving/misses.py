"""Near misses of every generated task: what agents get wrong that seem to be nearly there."""

from yardkit.evaluators.proof import Solved, caught_by_leaf


@caught_by_leaf("answer")
def near_miss_an_earlier_result(work: Solved) -> None:
    """The result of another operation instead of the value that was asked for."""
    work.answer = next(result for result in reversed(work.facts["results"]) if result != work.facts["answer"])


@caught_by_leaf("answer")
def near_miss_every_candidate_listed(work: Solved) -> None:
    """The right value among others."""
    work.answer = " or ".join([work.facts["answer"], *work.facts["results"][:2]])


@caught_by_leaf("answer", "solved_10")
def near_miss_halted_before_the_end(work: Solved) -> None:
    """The last document was never read."""
    last = work.facts["documents"][-1]
    work.calls[:] = [call for call in work.calls if call["arguments"].get("doc_id") != last]
    work.answer = "The value was not found."


@caught_by_leaf("solved_5")
def near_miss_gave_up_on_the_way(work: Solved) -> None:
    """The documents that the prompt names were read, and no operation was solved."""
    remaining_calls = [call for call in work.calls if call["arguments"].get("doc_id") not in work.facts["solved"]]
    work.calls[:] = remaining_calls if work.facts["solved"] else work.calls[:1]
    work.answer = work.answer if work.facts["solved"] else "I read all documents."


@caught_by_leaf("no_guessing")
def near_miss_ids_tried_by_the_hundred(work: Solved) -> None:
    """Keys were tried until one fitted."""
    tried = {**work.calls[-1], "error": "there is no document with this id; ids are exact"}
    work.calls += [tried] * (100 + len(work.facts["documents"]))
