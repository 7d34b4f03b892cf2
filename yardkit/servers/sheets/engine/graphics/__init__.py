"""What is drawn on a sheet: charts, pictures, sparklines."""
