"""Episodes played by language models: conversations that are recorded, resumed, scored again and reported."""
