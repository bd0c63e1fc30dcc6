"""Tests of Jass."""
