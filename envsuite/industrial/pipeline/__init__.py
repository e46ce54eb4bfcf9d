"""Water through a long pipe, whose flow shows the gate only after a while."""
