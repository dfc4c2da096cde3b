"""The notation: nodes, parser, and one walker a module over them."""
