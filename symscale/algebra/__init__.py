"""Exact algebra in one and several letters: normal forms, roots, rational pieces, monotony."""
