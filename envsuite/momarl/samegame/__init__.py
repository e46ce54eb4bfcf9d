"""SameGame: players remove groups of tiles of one colour by turns."""
