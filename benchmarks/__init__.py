"""How fast binteach is beside scikit-learn and scipy; `make bench` runs it."""
