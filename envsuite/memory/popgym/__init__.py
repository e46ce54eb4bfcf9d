"""The fourteen tasks of POPGym, in three sizes each."""
