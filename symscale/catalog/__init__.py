"""What the files of a catalog say: quantities, formulas, tasks and their instances."""
