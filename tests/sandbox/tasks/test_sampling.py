from collections import Counter

import pytest

from yardkit.__main__ import main
from yardkit.sandbox.tasks.sampling import sample_tasks
from yardkit.sandbox.tasks.suites import find_tasks
from yardkit.world import Problem


def test_a_sample_has_the_shares_of_the_whole_and_is_the_same_each_time() -> None:
    tasks = find_tasks(["office", "quickstart"])
    sample = sample_tasks(tasks, len(tasks) // 2)
    assert sample == sample_tasks(tasks, len(tasks) // 2)
    assert [task.id for task in tasks if task in sample] == [task.id for task in sample]
    full_shares, part = (Counter((t.profile.domain, t.profile.difficulty) for t in some) for some in (tasks, sample))
    assert part.total() == len(tasks) // 2
    assert all(abs(part[kind] - count * len(sample) / len(tasks)) < 1 for kind, count in full_shares.items())
    assert sample_tasks(tasks, len(tasks)) == tasks
    with pytest.raises(Problem, match="--sample 0: there are"):
        sample_tasks(tasks, 0)


def test_a_sample_needs_tasks_and_not_more_than_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--sample", "2", "--runs", "none"]) == 2
    assert main(["run", "quickstart/sort_inbox", "--sample", "2"]) == 2
    assert "--sample 2: there are 1 tasks; take 1 to 1" in capsys.readouterr().err
