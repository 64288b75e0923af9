"""SMT solvers as processes that can be killed: they read SMT-LIB text and answer; nothing of obligations or files."""
