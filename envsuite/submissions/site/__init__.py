"""The leaderboard's static site: pages that work from a disk, without a server and without requests to anybody."""

from envsuite.submissions.site.writer import build

__all__ = ["build"]
