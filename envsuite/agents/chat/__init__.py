"""Language models behind OpenAI-compatible chat endpoints."""
