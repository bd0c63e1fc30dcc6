"""Tests of Skat."""
