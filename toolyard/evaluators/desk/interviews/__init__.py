"""Arrange a round of interviews."""
