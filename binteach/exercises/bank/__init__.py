"""The bank: one file for each lesson, one function for each exercise."""
