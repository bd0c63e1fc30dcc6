"""Tests of Euchre."""
