"""Item gathering: agents on a grid pick up items of several kinds."""
