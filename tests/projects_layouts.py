"""Folders as people have them: what lies in them, and what they mean."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TOPICS = ("dam", "spill", "quake")
DAYS = {
    "dam": (("2031-03-01", "The old dam broke at night."), ("2031-03-05", "Rescue teams came.")),
    "spill": (("2030-04-20", "A rig exploded at sea."), ("2030-07-15", "The well was capped.")),
    "quake": (("2032-01-12", "A strong quake hit the city."), ("2032-01-20", "Aid arrived.")),
}
TEXTS = {
    "dam": "The old dam broke at night and water flooded the valley below.",
    "spill": "A rig exploded at sea and oil reached the coast after weeks.",
    "quake": "A strong quake hit the city and many buildings fell down there.",
}
Files = Mapping[str, str | bytes]


def entries(topic: str, who: str) -> dict[str, str]:
    return {day: f"{text} So says {who}." for day, text in DAYS[topic]}


def markdown(topic: str, who: str) -> str:
    return "".join(f"- **{day}**: {text}\n" for day, text in entries(topic, who).items())


def tilse(topic: str, who: str) -> str:
    return "".join(f"{day}\n{text}\n{'-' * 32}\n" for day, text in entries(topic, who).items())


def plain(topic: str, who: str) -> str:
    return f"{TEXTS[topic]}\nThis was written by {who}.\n"


def dated_table(topic: str, who: str) -> str:
    return table([["date", "text"], *[[day, text] for day, text in entries(topic, who).items()]])


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def table(rows: list[list[str]], sign: str = ",") -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=sign).writerows(rows)
    return file.getvalue()


def tree(
    pattern: str, whos: Sequence[str], text: Callable[[str, str], str] = markdown, **more: str
) -> dict[str, str]:
    return {pattern.format(t=t, s=s, **more): text(t, s) for t in TOPICS for s in whos}


@dataclass(frozen=True)
class Folder:
    """A layout: its files, the systems in it and the number of references of a topic."""

    name: str
    files: Files
    systems: tuple[str, ...]
    references: int = 1
    topics: int = 3
    kind: str = "timeline"
    asked: bool = False
    """Whether nothing in it decides, so that a question or a note is right."""
    noted: str = ""
    """A word that a note has to hold."""

    def write(self, root: Path) -> Path:
        for name, content in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(content, encoding="utf-8")
        return root


S = ("gpt-4", "llama")
BESIDE = {"README.md": "# Our outputs\n- 2031-01-01: first try\n", ".hidden/x.md": "no"}
CHAT = {
    t: [{"role": "user", "content": f"Write a timeline of the {t}"},
        {"role": "assistant", "content": markdown(t, "chat")}] for t in TOPICS
}  # fmt: skip


def packed(files: Mapping[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


def in_parquet(rows: list[dict[str, str]]) -> bytes:
    held = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), held)
    return held.getvalue()


def html(topic: str, who: str) -> str:
    items = "".join(f"<li><b>{day}</b>: {text}</li>" for day, text in entries(topic, who).items())
    return f"<html><body><ul>{items}</ul></body></html>"


def fenced(topic: str, who: str) -> str:
    told = [{"date": day, "event": text} for day, text in entries(topic, who).items()]
    return f"Sure! Here it is:\n```json\n{json.dumps(told, indent=1)}\n```\n"


def choice(topic: str, who: str) -> dict[str, object]:
    return {"choices": [{"message": {"role": "assistant", "content": markdown(topic, who)}}]}


GOLD = tree("gold/{t}.md", ("g",))
FOLDERS = (
    Folder(
        "systems are folders of topics",
        {**tree("outputs/{s}/{t}.md", S), **tree("gold/{t}.md", ("g",)), **BESIDE},
        S,
    ),
    Folder(
        "systems lie beside the references",
        {
            **tree("{s}/{t}.txt", S, tilse),
            **tree("gold/{t}.txt", ("g",), tilse),
            "notes.txt": "Ask Ann about topic two.\n",
        },
        S,
    ),
    Folder("topic folders with systems inside", tree("{t}/{s}.md", (*S, "gold")), S),
    Folder(
        "topic folders with a folder of references",
        {**tree("{t}/{s}.md", S), **tree("{t}/human/{s}.md", ("ann", "bob"))},
        S,
        2,
    ),
    Folder(
        "topic and system in one name",
        tree("{t}.{s}.txt", ("gpt4", "llama", "ref"), tilse),
        ("gpt4", "llama"),
    ),
    Folder(
        "system and topic in one name, references apart",
        {**tree("out/{s}_{t}.md", ("gpt4", "llama")), **tree("gold/{t}.md", ("g",))},
        ("gpt4", "llama"),
    ),
    Folder(
        "runs of one system",
        {**tree("outputs/{s}/{t}.md", ("run-1", "run-2", "run-3")), **tree("gold/{t}.md", ("g",))},
        ("outputs",),
    ),
    Folder(
        "runs of two systems",
        {
            **tree("outputs/gpt/{s}/{t}.md", ("run-1", "run-2")),
            **tree("outputs/llama/{s}/{t}.md", ("run-1", "run-2"), tilse),
            **tree("gold/{t}.md", ("g",)),
        },
        ("gpt", "llama"),
    ),
    Folder(
        "a collection with timelines in folders of topics",
        {
            **tree("corpus/{t}/timelines/{s}.txt", ("bbc", "cnn"), tilse),
            **{
                f"corpus/{t}/articles.jsonl": lines([{"title": t, "text": TEXTS[t]}])
                for t in TOPICS
            },
            **tree("runs/{s}/{t}.txt", S, tilse),
        },
        S,
        2,
    ),
    Folder(
        "one answer and several references",
        {
            "answer.md": markdown("dam", "me"),
            "gold1.md": markdown("dam", "ann"),
            "gold2.md": markdown("dam", "bob"),
        },
        ("answer",),
        2,
        topics=1,
    ),
    Folder(
        "a file of JSON Lines for each system",
        {
            f"{s}.jsonl": lines([{"topic": t, "timeline": entries(t, s)} for t in TOPICS])
            for s in (*S, "gold")
        },
        S,
    ),
    Folder(
        "predictions with the gold timeline in the same file",
        {
            "predictions.jsonl": lines(
                [
                    {
                        "id": t,
                        "prompt": f"Write about the {t} please",
                        "prediction": markdown(t, "a"),
                        "gold": markdown(t, "b"),
                    }
                    for t in TOPICS
                ]
            )
        },
        ("predictions",),
    ),
    Folder(
        "a wide table of texts",
        {
            "all.csv": table(
                [
                    ["id", "article", "gpt4", "llama", "reference"],
                    *[
                        [t, TEXTS[t] * 9, plain(t, "a"), plain(t, "b"), plain(t, "c")]
                        for t in TOPICS
                    ],
                ]
            )
        },
        ("gpt4", "llama"),
        kind="text",
    ),
    Folder(
        "a long table with everything",
        {
            "all.csv": table(
                [
                    ["system", "topic", "date", "text"],
                    *[
                        [s, t, day, text]
                        for s in ("gpt4", "llama", "gold")
                        for t in TOPICS
                        for day, text in entries(t, s).items()
                    ],
                ]
            )
        },
        ("gpt4", "llama"),
    ),
    Folder(
        "nested JSON by topic and system",
        {"all.json": json.dumps({t: {s: entries(t, s) for s in (*S, "gold")} for t in TOPICS})},
        S,
    ),
    Folder(
        "nested JSON by system and topic",
        {"all.json": json.dumps({s: {t: entries(t, s) for t in TOPICS} for s in (*S, "gold")})},
        S,
    ),
    Folder(
        "chats of a model",
        {
            "chats.jsonl": lines([{"topic": t, "messages": CHAT[t]} for t in TOPICS]),
            **tree("gold/{t}.md", ("g",)),
        },
        ("chats",),
    ),
    Folder(
        "records for ROUGE",
        {
            "mine.jsonl": lines(
                [{"id": t, "system": plain(t, "a"), "references": [plain(t, "b")]} for t in TOPICS]
            )
        },
        ("mine",),
        kind="text",
    ),
    Folder(
        "records with other keys",
        {
            f"{s}.jsonl": lines(
                [{"id": t, "prediction": TEXTS[t], "target": plain(t, "b")} for t in TOPICS]
            )
            for s in S
        },
        S,
        kind="text",
    ),
    Folder(
        "texts without dates, and the articles",
        {
            **tree("summaries/{s}/{t}.txt", S, plain),
            **tree("expert/{t}.txt", ("e",), plain),
            **{f"articles/{t}.txt": TEXTS[t] * 20 for t in TOPICS},
        },
        S,
        kind="text",
        noted="articles",
    ),
    Folder(
        "Spanish names",
        {**tree("salidas/{s}/{t}.md", S), **tree("oro/{t}.md", ("o",))},
        S,
    ),
    Folder(
        "Chinese names",
        {**tree("输出/{s}/{t}.md", ("模型甲", "模型乙")), **tree("标准答案/{t}.md", ("o",))},
        ("模型乙", "模型甲"),
    ),
    Folder(
        "a backup of the outputs",
        {
            **tree("outputs/{s}/{t}.md", S),
            **tree("gold/{t}.md", ("g",)),
            **{
                f"outputs_backup/{k.partition('/')[2]}": v
                for k, v in tree("outputs/{s}/{t}.md", S).items()
            },
        },
        S,
        noted="same as",
    ),
    Folder(
        "other encodings",
        {
            **{
                k: v.replace("old", "año").encode("cp1252")
                for k, v in tree("outputs/{s}/{t}.md", S).items()
            },
            **tree("gold/{t}.md", ("g",)),
        },
        S,
        noted="not UTF-8",
    ),
    Folder(
        "nothing says which side is which",
        {**tree("a/{t}.md", ("x",)), **tree("b/{t}.md", ("y",))},
        ("a",),
        asked=True,
    ),
    Folder(
        "annotators who differ in number",
        {
            **tree("alpha/{t}.md", ("x",)),
            **tree("beta/{t}.md", ("z",)),
            **tree("notes/{t}/{s}.md", ("1", "2")),
            "notes/dam/3.md": markdown("dam", "third"),
        },
        ("alpha", "beta"),
        2,
    ),
    Folder(
        "predictions and references in two files of records",
        {
            "preds.jsonl": lines([{"id": t, "summary": plain(t, "a")} for t in TOPICS]),
            "references.jsonl": lines([{"id": t, "text": plain(t, "b")} for t in TOPICS]),
        },
        ("preds",),
        kind="text",
    ),
    Folder(
        "models and prompts, each pair a system",
        {
            **tree("out/gpt/{s}/{t}.md", ("short", "long")),
            **tree("out/llama/{s}/{t}.md", ("short", "long"), tilse),
            **tree("gold/{t}.md", ("g",)),
        },
        ("gpt/short", "gpt/long", "llama/short", "llama/long"),
    ),
    Folder(
        "answers beside a folder of references",
        {**tree("{t}.md", ("me",)), **tree("gold/{t}.md", ("g",))},
        ("",),
    ),
    Folder(
        "answers in folders of topics",
        {**tree("{t}/answer.md", ("me",)), **tree("{t}/reference.md", ("g",))},
        ("answer",),
    ),
    Folder(
        "references and answers in one folder of each topic, below another",
        {**tree("topics/{t}/{s}.md", S), **tree("topics/{t}/ref{s}.md", ("1", "2"))},
        S,
        2,
    ),
    Folder(
        "topics and who wrote them in the names of files",
        {**tree("{t}_{s}.txt", S, tilse), **tree("{t}_human{s}.txt", ("1", "2"), tilse)},
        S,
        2,
    ),
    Folder(
        "annotators without a name in common, beside answers",
        {
            **tree("data/{t}/{s}.md", ("gpt_output", "llama_output")),
            **tree("data/{t}/expert_{s}.md", ("ann", "bob")),
        },
        ("gpt_output", "llama_output"),
        2,
    ),
    Folder(
        "tables of entries, with a column of annotators",
        {
            "outputs.csv": table(
                [["topic", "system", "date", "text"]]
                + [[t, s, *one] for t in TOPICS for s in S for one in entries(t, s).items()]
            ),
            "gold.csv": table(
                [["topic", "annotator", "date", "text"]]
                + [[t, s, *one] for t in TOPICS for s in "ab" for one in entries(t, s).items()]
            ),
        },
        S,
        2,
    ),
    Folder(
        "samples of a harness, answers in lists",
        {
            "samples.jsonl": lines(
                [
                    {"doc_id": t, "target": markdown(t, "g"), "resps": [[markdown(t, "m")]]}
                    for t in TOPICS
                ]
            )
        },
        ("samples",),
    ),
    Folder(
        "a text on each line of two files",
        {
            f"{name}.txt": "".join(f"{TEXTS[t]}\n" for t in TOPICS)
            for name in ("predictions", "references")
        },
        ("predictions",),
        topics=1,
        kind="text",
        noted="3 lines",
    ),
    Folder(
        "a CSV file for each topic",
        {**tree("outputs/{s}/{t}.csv", S, dated_table), **tree("gold/{t}.csv", "g", dated_table)},
        S,
    ),
    Folder(
        "a JSON file by topic for each system",
        {f"{s}.json": json.dumps({t: entries(t, s) for t in TOPICS}) for s in (*S, "gold")},
        S,
    ),
    Folder(
        "annotators as folders",
        {**tree("outputs/{s}/{t}.md", S), **tree("gold/{s}/{t}.md", ("ann", "bob"))},
        S,
        2,
    ),
    Folder(
        "several references of one topic, and answers",
        {
            **{f"outputs/{s}.md": markdown("dam", s) for s in S},
            **{f"refs/{s}.md": markdown("dam", s) for s in ("ann", "bob")},
        },
        S,
        2,
        topics=1,
    ),
    Folder(
        "logs, settings and scores beside",
        {
            **tree("outputs/{s}/{t}.md", S),
            **tree("gold/{t}.md", "g"),
            "logs/run.txt": "started\nfinished\n",
            "scores.csv": "system,f\ngpt,0.4\n",
            "prompt.txt": "Write a timeline of {topic}.\n",
        },
        S,
    ),
    Folder(
        "several references in a record",
        {
            "mine.jsonl": lines(
                [
                    {
                        "id": t,
                        "prediction": entries(t, "a"),
                        "references": [entries(t, "b"), dict(DAYS[t])],
                    }
                    for t in TOPICS
                ]
            )
        },
        ("mine",),
        2,
    ),
    Folder(
        "a text a line in two files",
        {
            "hyp.txt": "".join(f"The dam broke in town {i}.\n" for i in range(20)),
            "ref.txt": "".join(f"A dam broke in the town {i}.\n" for i in range(20)),
        },
        ("hyp",),
        topics=1,
        kind="text",
        noted="lines each",
    ),
    Folder(
        "a system without one of the topics",
        {
            name: text
            for name, text in {**tree("outputs/{s}/{t}.md", S), **tree("gold/{t}.md", "g")}.items()
            if name != "outputs/llama/quake.md"
        },
        S,
        noted="llama: has no output",
    ),
    Folder(
        "references beside the answers, marked in their names",
        {**tree("data/{t}.gold.md", "g"), **tree("data/{t}.md", "m")},
        ("data",),
    ),
    Folder(
        "names that differ in case",
        {
            **tree("Outputs/{s}/{t}.md", S),
            **{f"Gold/{t.title()}.md": markdown(t, "g") for t in TOPICS},
        },
        S,
        noted="is taken to be for topic 'Dam'",
    ),
    Folder(
        "texts in a table with a row for each",
        {
            "all.csv": table(
                [
                    ["topic", "system", "summary"],
                    *[[t, s, plain(t, s)] for t in TOPICS for s in ("gpt4", "llama", "human")],
                ]
            )
        },
        ("gpt4", "llama"),
        kind="text",
    ),
    Folder(
        "a file by system and topic, beside the references",
        {"all.json": json.dumps({s: {t: entries(t, s) for t in TOPICS} for s in S}), **GOLD},
        S,
    ),
    Folder(
        "an archive of answers beside the references",
        {"mine.zip": packed(tree("{t}.md", ("m",))), **GOLD},
        ("mine",),
    ),
    Folder(
        "an archive that is not read",
        {"more.tar.gz": b"\x1f\x8b", **tree("out/{s}/{t}.md", S), **GOLD},
        S,
        noted="more.tar.gz is left out",
    ),
    Folder(
        "topics in names with other words, on both sides",
        {**tree("out/gpt/{t}_timeline.md", "m"), **tree("refs/{t}-gold.md", "g")},
        ("gpt",),
    ),
    Folder(
        "one system beside its references, told apart by names",
        {**tree("gpt_{t}.md", "m"), **tree("ref_{t}.md", "g")},
        ("gpt",),
    ),
    Folder(
        "a row for each answer of each model, with its reference",
        {
            "long.csv": table(
                [["model", "topic", "answer", "gold"]]
                + [[s, t, markdown(t, s), markdown(t, "g")] for s in S for t in TOPICS]
            )
        },
        S,
    ),
    Folder(
        "a row for each answer of each model, the references apart",
        {
            "results.jsonl": lines(
                [{"model": s, "topic": t, "output": markdown(t, s)} for s in S for t in TOPICS]
            ),
            **GOLD,
        },
        S,
    ),
    Folder(
        "a table of models, the references apart",
        {
            "answers.csv": table(
                [["topic", *S], *[[t, *(markdown(t, s) for s in S)] for t in TOPICS]]
            ),
            **GOLD,
        },
        S,
    ),
    Folder(
        "a file for each topic with its predictions by system",
        {
            f"{t}.json": json.dumps(
                {
                    "topic": t,
                    "gold": entries(t, "g"),
                    "predictions": {s: entries(t, s) for s in S},
                }
            )
            for t in TOPICS
        },
        S,
    ),
    Folder(
        "chats with the reference in a column of any name",
        {
            "chats.jsonl": lines(
                [{"topic": t, "messages": CHAT[t], "wanted": markdown(t, "g")} for t in TOPICS]
            )
        },
        ("chats",),
    ),
    Folder(
        "the log of a harness, samples deep inside",
        {
            "logs/run.json": json.dumps(
                {
                    "version": 2,
                    "eval": {"task": "timelines", "model": "m"},
                    "samples": [
                        {
                            "id": t,
                            "input": f"Write about the {t}.",
                            "target": markdown(t, "g"),
                            "messages": CHAT[t],
                            "output": choice(t, "chat"),
                        }
                        for t in TOPICS
                    ],
                }
            )
        },
        ("run",),
    ),
    Folder(
        "results of prompts in a document",
        {
            "output.json": json.dumps(
                {
                    "evalId": "e",
                    "results": {
                        "version": 3,
                        "results": [
                            {
                                "prompt": {"label": s},
                                "vars": {"topic": t, "reference": markdown(t, "g")},
                                "response": {"output": markdown(t, s)},
                            }
                            for t in TOPICS
                            for s in S
                        ],
                    },
                }
            )
        },
        S,
    ),
    Folder(
        "answers and what was taken from them",
        {
            "samples.jsonl": lines(
                [
                    {
                        "doc_id": t,
                        "doc": {"topic": t, "references": [markdown(t, "g")]},
                        "target": markdown(t, "g"),
                        "resps": [[f"Sure!\n{markdown(t, 'm')}\nDone."]],
                        "filtered_resps": [markdown(t, "m").strip()],
                    }
                    for t in TOPICS
                ]
            )
        },
        ("samples",),
    ),
    Folder(
        "answers of a batch by custom id, the references apart",
        {
            "batch.jsonl": lines(
                [
                    {"id": f"b{n}", "custom_id": t, "response": {"body": choice(t, "m")}}
                    for n, t in enumerate(TOPICS)
                ]
            ),
            **GOLD,
        },
        ("batch",),
    ),
    Folder(
        "a table as a tracker exports it",
        {
            "table.json": json.dumps(
                {
                    "columns": ["topic", "prediction", "reference"],
                    "data": [[t, markdown(t, "m"), markdown(t, "g")] for t in TOPICS],
                }
            )
        },
        ("table",),
    ),
    Folder(
        "Parquet",
        {
            "all.parquet": in_parquet(
                [
                    {"topic": t, "gold": markdown(t, "g"), **{s: markdown(t, s) for s in S}}
                    for t in TOPICS
                ]
            )
        },
        S,
    ),
    Folder(
        "backups, settings and logs among the answers",
        {
            **tree("out/{s}/{t}.md", S),
            **tree("out/{s}/{t}.md~", S),
            **tree("out/{s}/#{t}.md#", S),
            **tree("out/{s}/{t}.md.bak", S),
            "out/llama/config.json": json.dumps({"temperature": 0.7, "model": "m"}),
            "out/llama/run.log": "2031-05-01 10:00:00 INFO started\n",
            **GOLD,
        },
        S,
        noted="config.json cannot be read",
    ),
    Folder(
        "topics that are called documents",
        {
            **{f"system/doc{n}.txt": plain(t, "m") for n, t in enumerate(TOPICS)},
            **{
                f"reference/doc{n}_{a}.txt": plain(t, a) for n, t in enumerate(TOPICS) for a in "ab"
            },
        },
        ("system",),
        2,
        kind="text",
    ),
    Folder("pages on one line", {**tree("pages/{t}.html", "m", html), **GOLD}, ("pages",)),
    Folder("data in a code fence", {**tree("out/{t}.md", "m", fenced), **GOLD}, ("out",)),
    Folder(
        "a table in another encoding",
        {
            "tabla.csv": table(
                [["topic", "respuesta", "referencia"]]
                + [
                    [t, *(markdown(t, w).replace("The", "La caída:") for w in "ab")] for t in TOPICS
                ],
                ";",
            ).encode("cp1252")
        },
        ("tabla",),
        noted="cp1252",
    ),
    Folder(
        "texts with a row for each answer of each model, the references in another file",
        {
            "outputs.jsonl": lines(
                [{"model": s, "id": t, "summary": plain(t, s)} for s in S for t in TOPICS]
            ),
            "refs.jsonl": lines([{"id": t, "summary": plain(t, "g")} for t in TOPICS]),
        },
        S,
        kind="text",
    ),
    Folder(
        "files of the same name in the folder of each system",
        {
            f"{home}/timelines.json": json.dumps({t: entries(t, home) for t in TOPICS})
            for home in ("runs/gpt-4", "runs/llama", "gold")
        },
        S,
    ),
    Folder(
        "topics with a number before their names",
        {
            **{f"out/{n:02}_{t}.md": markdown(t, "m") for n, t in enumerate(TOPICS, 1)},
            **GOLD,
        },
        ("out",),
    ),
    Folder(
        "a table with the numbers of its rows",
        {
            "df.csv": table(
                [["", "topic", "gold", "gpt_output", "llama_output"]]
                + [[str(n), t, *(markdown(t, w) for w in "abc")] for n, t in enumerate(TOPICS)]
            )
        },
        ("gpt_output", "llama_output"),
    ),
    Folder(
        "a table of entries with a column of models, the references apart",
        {
            "pred.csv": table(
                [["model", "topic", "date", "event"]]
                + [[s, t, *one] for s in S for t in TOPICS for one in entries(t, s).items()]
            ),
            **tree("gold/{t}.csv", "g", dated_table),
        },
        S,
    ),
    Folder(
        "endings that say which side is which",
        {**tree("{t}.pred", "m"), **tree("{t}.gold", "g")},
        ("",),
    ),
    Folder("names without endings", {**tree("out/{s}/{t}", S), **tree("gold/{t}", "g")}, S),
    Folder(
        "systems by name inside each topic",
        {
            "all.json": json.dumps(
                {
                    t: {"reference": entries(t, "g"), "systems": {s: entries(t, s) for s in S}}
                    for t in TOPICS
                }
            )
        },
        S,
    ),
    Folder(
        "articles that look like timelines",
        {
            **tree("articles/{t}/{s}.md", "123", lambda t, s: f"# News\n\n{tilse(t, s)}"),
            **tree("mine/{t}.md", "m"),
            **GOLD,
        },
        ("mine",),
        noted="documents by their names",
    ),
    Folder(
        "topics of which a half is on both sides",
        {
            **{f"out/gpt/{t}.md": markdown("dam", "m") for t in ("a", "b")},
            **{f"gold/{t}.md": markdown("dam", "g") for t in ("a", "b", "c", "d")},
        },
        ("gpt",),
        topics=4,
        noted="has no output for 'c' (2 such topics)",
    ),
    Folder(
        "cells that hold whole timelines as JSON, the references in another table",
        {
            "out.csv": table(
                [["model", "topic", "timeline"]]
                + [[s, t, json.dumps(entries(t, s))] for s in S for t in TOPICS]
            ),
            "ref.csv": table(
                [["topic", "timeline"], *[[t, json.dumps(entries(t, "g"))] for t in TOPICS]]
            ),
        },
        S,
    ),
    Folder(
        "a table with a row for each answer of each model, the references in a folder",
        {
            "out.csv": table(
                [["model", "topic", "answer"]] + [[s, t, markdown(t, s)] for s in S for t in TOPICS]
            ),
            **GOLD,
        },
        S,
    ),
    Folder(
        "records whose ids have other names in the file of references",
        {
            "preds.jsonl": lines([{"qid": t, "summary": plain(t, "a")} for t in TOPICS]),
            "references.jsonl": lines([{"topic_id": t, "text": plain(t, "b")} for t in TOPICS]),
        },
        ("preds",),
        kind="text",
    ),
)
