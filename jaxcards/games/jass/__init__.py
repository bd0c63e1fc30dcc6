"""Swiss Jass: Schieber, Slalom and Differenzler."""
