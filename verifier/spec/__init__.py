"""The construction file and its expression language: text in, typed syntax trees out; nothing of solvers here."""
