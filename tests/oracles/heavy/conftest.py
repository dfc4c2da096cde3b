"""These modules need the extra `oracles`; `make oracles` runs them, the tests do not."""

collect_ignore_glob = ["*.py"]
