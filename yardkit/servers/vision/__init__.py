"""Picture contents: descriptions, answers and charts with a vision model; tags, colours and similarity without."""

GROUP = "perception"
