"""Barcodes and QR codes: read from pictures, and written as PNG or SVG."""

GROUP = "perception"
