"""Tests of Rikiki."""
