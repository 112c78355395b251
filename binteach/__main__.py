"""`python -m binteach` is the same as `binteach`."""

from binteach.cli import main

main()
