"""Obligations for every n and their discharge: Z3, ball arithmetic, the exact supremum; nothing of files or terminals."""
