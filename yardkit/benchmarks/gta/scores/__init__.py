"""The figures of the papers: of steps, of runs, of answers, of two raters."""
