"""Games that language models train against themselves in, small enough for exact solutions."""
