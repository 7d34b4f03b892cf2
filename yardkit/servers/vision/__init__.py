"""Picture contents: descriptions, answers and charts with a vision model; tags, colours and similarity without."""

GROUP = "perception"

MODELS = {
    "describe_image, answer_about_image, describe_region, compare_images, read_chart, save_chart_data": ("vision",),
    "find_images by words": ("embeddings",),
}
"""Tools that need a model behind HTTP, and what it must be able to do (any of these)."""
