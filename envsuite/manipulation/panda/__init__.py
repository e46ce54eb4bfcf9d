"""Goal tasks of a Panda arm on a table, after panda-gym."""
