"""Exact symbolic derivations for the arithmetic of scaling machine-learning models."""
