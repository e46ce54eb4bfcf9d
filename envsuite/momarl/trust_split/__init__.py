"""Trust-and-Split: two agents talk about hidden hands, then split coins."""
