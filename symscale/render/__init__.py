"""Expressions and documents for people: Unicode, LaTeX, terminal, Markdown, HTML."""
