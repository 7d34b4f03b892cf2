"""What was named taken out of a file in every place where a file may say it, and the result searched."""
