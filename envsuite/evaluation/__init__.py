"""Episodes by protocol, their records and their replays."""
