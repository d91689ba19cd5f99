"""The report on scores: one page that says who is ahead, how surely, where and why."""

from chronoscore.reports.score_page.contents import Contents, Share
from chronoscore.reports.score_page.layout import score_page

__all__ = ["Contents", "Share", "score_page"]
