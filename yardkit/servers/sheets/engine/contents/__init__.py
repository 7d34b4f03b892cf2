"""What a workbook holds, as it is told: summaries, profiles, cells found, differences."""
