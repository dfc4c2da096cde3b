"""Parameter spaces and their order, variants by index, and the files they are written to."""
