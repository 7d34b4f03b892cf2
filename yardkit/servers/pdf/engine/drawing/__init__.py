"""What is drawn on pages: stamps, annotations, text layers of scans; and new documents."""
