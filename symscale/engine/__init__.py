"""What can be done with expressions: derivation, solving, equivalence."""
