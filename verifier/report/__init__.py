"""Results made readable: JSON, text for terminals and pipes, progress. Nothing here decides anything."""
