"""Formulas in the form in which the calculation engine gives what Excel gives, each file for one of its faults."""
