"""Near misses of the records of apps."""

from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.mutations.records import edit_database
from yardkit.evaluators.proof import Miss, Solved


def change_records(app: str, *statements: str, caught_by: Leaves) -> Miss:
    """Records are changed by SQL with facts as parameters: ``UPDATE forms SET closed = NULL WHERE id = :old``."""

    def corrupt_world(work: Solved) -> None:
        for statement in statements:
            edit_database(work.apps / app / f"{app}.sqlite", statement, work.facts)

    return make_miss(caught_by, corrupt_world)
