"""Belote: Bela, French belote, contrée and coinche."""
