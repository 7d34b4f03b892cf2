"""Seeds of the suite `lore_published`: LORE as the paper has it."""
