"""Obligations for every n, discharged by Z3 and by ball arithmetic; nothing of files or terminals."""
