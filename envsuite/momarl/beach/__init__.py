"""The beach: sections get crowded, and visitors like mixed company."""
