"""Exercises that know your mistake."""
