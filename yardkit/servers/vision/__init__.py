"""What pictures show: descriptions, answers, charts by a vision model; tags, colours and likeness without one."""

GROUP = "perception"
