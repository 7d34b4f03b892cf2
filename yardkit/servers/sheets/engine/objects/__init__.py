"""What a sheet has beside its values: notes, links, rules, tables, names, print set-up, protection."""
