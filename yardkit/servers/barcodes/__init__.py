"""Barcodes and QR codes: read from pictures, and write as PNG or SVG."""

GROUP = "perception"
