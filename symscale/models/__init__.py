"""Models counted: parameters, bytes and FLOPs of an architecture or of a `config.json`."""
