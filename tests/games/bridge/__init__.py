"""Tests of Bridge."""
