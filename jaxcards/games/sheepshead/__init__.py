"""Sheepshead: Wisconsin table rules and the called-ace game of the DeepSheep design."""
