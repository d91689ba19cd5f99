"""Entries split into claims, and a verdict for each."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chronoscore as cs
from chronoscore.judging.claims import claims_in
from judging import small_corpus
from judging.chat_server import data_of, serving


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        ("Israel and Iran attacked each other.", None),
        ("The minister, who had approved the dam, resigned and left.", None),
        ("Obama won; McCain conceded.", ["Obama won", "McCain conceded."]),
        (
            "The dam broke and flooded two villages, killing 12 people.",
            ["The dam broke", "The dam flooded two villages, killing 12 people."],
        ),
        (
            "Police moved people to a school, but the mayor and his wife refused to leave.",
            ["Police moved people to a school", "the mayor and his wife refused to leave."],
        ),
        (
            "The guard cleaned beaches and later rescued birds.",
            ["The guard cleaned beaches", "The guard later rescued birds."],
        ),
        ("Der Damm brach und flutete zwei Orte.", None),
        ("", []),
    ],
)
def test_a_sentence_is_cut_where_a_verb_stands_on_both_sides(
    sentence: str, claims: list[str] | None
) -> None:
    assert claims_in(sentence) == ([sentence] if claims is None else claims)


WORDS = ["The dam", "police", "broke", "flooded", "villages", "resigned", "and", "but", ",", ";",
         "later", "of", "Pellin", "who", "while", "was", "attacked", "said", "12"]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_no_word_is_lost_and_none_is_invented(words: list[str]) -> None:
    sentence = " ".join(words).replace(" ,", ",").replace(" ;", ";")
    told = " ".join(claims_in(sentence)).replace(",", " ").replace(";", " ").split()
    given_words = sentence.replace(",", " ").replace(";", " ").split()
    assert set(told) <= set(given_words)
    assert set(given_words) - set(told) <= {"and", "but", "while", "then"}


def test_each_claim_is_judged_and_scored(tmp_path: Path) -> None:
    corpus = small_corpus.write_articles(tmp_path / "corpus")
    out = tmp_path / "judged.jsonl"
    output = {"2031-03-03": "The Corvane dam broke early, but pirates stole gold coins."}
    with serving() as server:
        result = cs.judge(
            "facts",
            {"mine": {"dam": output}},
            documents=corpus,
            claims=True,
            model="m",
            endpoint=server.url,
            output=out,
        )
    items = sorted(data_of(server.bodies[0])["items"], key=lambda item: item["text"])
    assert [item["text"] for item in items] == [
        "The Corvane dam broke early",
        "pirates stole gold coins.",
    ]
    assert {item["entry"] for item in items} == {output["2031-03-03"]}
    assert "Judge the claim alone" in server.bodies[0]["messages"][0]["content"]
    labels = {row["nugget"]: row["label"] for row in result.rows() if "label" in row}
    assert labels == {"mine/2031-03-03#1": "support", "mine/2031-03-03#2": "none"}
    scores = cs.score(out, None, "nuggets", judgements=out)
    assert scores["mine", "nuggets.all_strict"].value == 0.5
