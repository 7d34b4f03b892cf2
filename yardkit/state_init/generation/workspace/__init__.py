"""A woven tree as records in the files of a company, from ledgers and mails to slides and scanned slips."""
