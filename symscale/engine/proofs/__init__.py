"""Proof by cases that two expressions are equal: choices, what is rounded, and signs."""
