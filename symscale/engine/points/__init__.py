"""Two expressions compared at points: where rules change, lines through a domain, examples."""
