"""The plainest line of each command, as README and tutorials show it."""

LINES = {
    "demo": "demo",
    "score": "score runs/*/timelines --reference corpus -m align+ -m dates",
    "score judged": "score runs/careful/rankings.jsonl --judgements corpus -m nu@20",
    "compare": "compare runs/careful/timelines runs/extract/timelines --reference corpus",
    "diff": "diff runs/careful/timelines runs/lead/timelines --reference corpus",
    "report": "report runs/careful/timelines runs/lead/timelines --reference corpus -o report.html",
    "explain": "explain runs/headlines/timelines --reference corpus -t dam",
    "similarities": "similarities runs/lead/timelines --reference corpus -m pairs",
    "check": "check align+ --on corpus/dam/timelines/ines.txt",
    "oracle": "oracle corpus -m rouge1 --budget 20w",
    "agree": "agree corpus",
    "judge": "judge link corpus --model recorded --cache answers.sqlite --offline -o link.jsonl",
    "correlate": "correlate scores.jsonl --ratings ratings.csv --rating pyramid --by system",
    "novelty": "novelty fit scores.jsonl ratings.csv --rating pyramid",
    "summarize": "summarize datewise corpus -o mine",
    "convert": "convert runs/lead/timelines/dam.txt --to json",
    "rouge155": "rouge155 -n 2 -x -m -z SPL list.txt careful",
    "list": "list",
    "cite": "cite",
    "help": "--help",
    "version": "--version",
}
WRITES = {"demo", "report", "judge", "summarize"}
"""Commands that write into the working folder."""
SILENT = {"report", "judge", "summarize"}
"""Commands that print nothing on standard output."""
TIMELINE = "runs/careful/timelines/dam.txt"
GOLD = "corpus/dam/timelines/ines.txt"
