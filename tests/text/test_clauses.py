"""Clauses tell who did what to whom, and what is denied."""

import pytest

from chronoscore.text.clauses import clauses_in


@pytest.mark.parametrize(
    ("text", "predicate", "agent", "patient"),
    [
        ("Israel attacked Iran.", "attack", "israel", "iran"),
        ("Iran was attacked by Israel.", "attack", "israel", "iran"),
        ("The president of Egypt dismissed the old cabinet.", "dismiss", "presid", "cabinet"),
        ("Rebels have seized the town.", "seiz", "rebel", "town"),
    ],
)
def test_a_clause_has_an_agent_and_a_patient(
    text: str, predicate: str, agent: str, patient: str
) -> None:
    (clause,) = clauses_in(text)
    assert (clause.predicate, clause.agent.head, clause.patient.head) == (predicate, agent, patient)
    assert not clause.negated


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("Troops did not enter the city.", "enter"),
        ("Troops didn't enter the city.", "enter"),
        ("Troops did n't enter the city.", "enter"),
        ("Workers did not seal the well.", "seal"),
        ("Troops never entered the city.", "enter"),
        ("Troops failed to enter the city.", "enter"),
        ("No troops entered the city.", "enter"),
        ("Police found no survivors.", "find"),
        ("Officials paid no ransom to the captors.", "pay"),
        ("NATO sees no sign of Russian troops leaving the border.", "see"),
        ("NATO sees no sign of a pullout from Ukraine's border.", "see"),
        ("France paid no ransom in exchange for the hostages held by rebels.", "pay"),
        ("The ministry paid no ransom demanded by the pirates.", "pay"),
        ("The water is not safe.", "safe"),
        ("He left without entering the city.", "enter"),
        ("Troops refused to enter the city.", "enter"),
        ("The general denied entering the city.", "enter"),
        ("The general denied having entered the city.", "enter"),
        ("BP avoided paying the fine.", "pay"),
    ],
)
def test_what_is_denied_is_negated(text: str, predicate: str) -> None:
    negated = {clause.predicate: clause.negated for clause in clauses_in(text)}
    assert negated[predicate]


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("Police say no one is safe.", "say"),
        ("The ministry paid no ransom demanded by the pirates.", "demand"),
        ("France paid no ransom in exchange for the hostages held by rebels.", "hold"),
    ],
)
def test_a_denied_object_denies_its_own_verb_and_no_other(text: str, predicate: str) -> None:
    negated = {clause.predicate: clause.negated for clause in clauses_in(text)}
    assert not negated[predicate]


def test_negation_does_not_reach_beyond_its_clause() -> None:
    negated = {
        clause.predicate: clause.negated
        for clause in clauses_in("Troops did not enter the city, and rebels attacked the port.")
    }
    assert negated == {"enter": True, "attack": False}


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("The general denied that troops entered the city.", "enter"),
        ("Talks on whether to enter the city failed.", "enter"),
        ("The mayor refused to say whether troops had entered the city.", "enter"),
        ("He warned against entering the city.", "enter"),
    ],
)
def test_what_another_word_leaves_open_is_neither_said_nor_denied(
    text: str, predicate: str
) -> None:
    hedged = {clause.predicate: clause.hedged for clause in clauses_in(text)}
    assert hedged[predicate]


@pytest.mark.parametrize("text", ["The army refused to enter.", "The army denied entering Rome."])
def test_a_refusal_leaves_nothing_open(text: str) -> None:
    hedged = {clause.predicate: clause.hedged for clause in clauses_in(text)}
    assert not hedged["enter"]
