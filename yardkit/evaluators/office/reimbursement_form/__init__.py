"""Checks and proof of office/reimbursement_form."""
