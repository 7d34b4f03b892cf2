"""The company behind all apps: who and what there is (`yardkit.state_init.cast`), and what each app knows of it."""
