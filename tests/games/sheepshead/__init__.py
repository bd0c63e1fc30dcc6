"""Tests of Sheepshead."""
