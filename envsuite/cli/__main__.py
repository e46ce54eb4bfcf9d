"""``python -m envsuite.cli``: the same as ``envsuite``."""

from envsuite.cli import main

main(prog_name="envsuite")
