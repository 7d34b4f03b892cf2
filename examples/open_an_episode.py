"""Open an episode, make a wrong move in a fork of it, grade it, and show what each checkpoint saw."""

import yardkit

with yardkit.open_episode("quickstart/sort_inbox", seed=7) as episode:
    print(episode.prompt)
    print(episode.call("list_folder", path="inbox").text)

    branch = episode.fork(at_call=1)  # the state right after the first call; `episode` stays as it is
    branch.call("write_file", path="note.txt", content="The task does not ask for this file.\n")
    grade = branch.grade(answer="done")
    print("reward", grade.reward)
    for leaf in grade.verdict.list_leaves():
        print(f"{leaf.outcome}  {leaf.id}: {leaf.evidence}")
