"""SymPy derives scores, attention weights, regions and candidate bounds; what it finds is proposed, never trusted."""
