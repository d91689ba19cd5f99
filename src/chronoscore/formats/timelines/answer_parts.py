"""The parts of a model's answer that hold no events: reasoning, sources, notes, refusals.

Reasoning is blanked before an answer is read, so that lines keep their numbers; sections such as
"Sources" are recognized by their titles, in the languages of `dates.languages` and in Chinese,
Japanese and Korean.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from chronoscore import lazy
from chronoscore.dates.folding import fold

_REASONING = (
    "think|thinking|thought|thoughts|reasoning|reason|scratchpad|scratch_pad|scratch|analysis"
    "|reflection|planning|plan|brainstorm|brainstorming|deliberation|monologue|inner_monologue"
    "|inner_thoughts|rationale|cot|chain_of_thought|internal|solution_draft|draft"
    "|tool_calls?|tool_results?|tool_response|tool_use|function_calls?|function_results?"
    "|search_results?|observation"
)
_BRACKETED = "think|thinking|thought|reasoning|scratchpad"
_MARK = lazy.pattern(
    r"(?<!\\)(?:"
    rf"<(?P<close>/?)(?:\w+:)?(?P<name>{_REASONING})(?:\s[^<>]*)?>"
    rf"|\[(?P<close2>/?)(?P<name2>{_BRACKETED})\]|◁(?P<close3>/?)(?P<name3>{_BRACKETED})▷"
    rf"|<\|(?P<edge>begin|end)_of_(?P<name4>{_BRACKETED})\|>)",
    re.IGNORECASE,
)
_ANSWER = lazy.pattern(
    r"(?<!\\)<(?P<close>/?)(?P<name>answer|final_answer|final|response)>", re.IGNORECASE
)
_CHANNEL = lazy.pattern(r"(?<!\\)<\|channel\|>\s*final\s*<\|message\|>")
_TOKEN = lazy.pattern(r"(?<!\\)<\|[a-z_]+\|>")
_TURN = lazy.pattern(
    r"^[ \t]*\**(?:(?P<asks>user|human|you|question|prompt)|assistant|ai|bot|chatgpt|claude|gemini)"
    r"\**[ \t]*:\**[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
"""Who speaks in a conversation."""
_COMMENT = lazy.pattern(r"(?<!\\)<!--.*?(?:-->|\Z)", re.DOTALL)


class Hidden(NamedTuple):
    """Lines that are not read, counted from 1, and why."""

    first: int
    last: int
    reason: str


def hide_reasoning(text: str) -> tuple[str, list[Hidden]]:
    """Blank reasoning and comments, also where they are not closed; line ends stay.

    Where an answer has tags of its own (`<answer>`), what stands outside of them is blanked.
    """
    hidden: list[Hidden] = []
    for spans in (_reasoning_spans, _outside_spans, _comment_spans, _asked_spans):
        for start, end, reason in spans(text):
            inside = text[start:end]
            if not inside.strip():
                continue
            first = text.count("\n", 0, start + len(inside) - len(inside.lstrip())) + 1
            hidden.append(Hidden(first, first + inside.strip().count("\n"), reason))
            text = text[:start] + re.sub(r"[^\n]", " ", inside) + text[end:]
    return _TURN.sub("", _TOKEN.sub(" ", text)), hidden


def _reasoning_spans(text: str) -> Iterator[tuple[int, int, str]]:
    if final := list(_CHANNEL.finditer(text)):
        yield 0, final[-1].end(), "reasoning before the final channel"
        return
    depth = start = 0
    name = ""
    for mark in _MARK.finditer(text):
        closing = (mark[group] for group in ("close", "close2", "close3"))
        closes = any(closing) or mark["edge"] == "end"
        if not closes:
            if depth == 0:
                start, name = mark.start(), mark[0]
            depth += 1
        elif depth <= 1:
            # A closing tag alone ends reasoning that began with the answer itself.
            yield start, mark.end(), f"reasoning in {name or mark[0]}"
            depth, start, name = 0, mark.end(), ""
        else:
            depth -= 1
    if depth:
        answer = _ANSWER.search(text, start)
        yield start, answer.start() if answer else len(text), f"reasoning in {name}, never closed"


def _outside_spans(text: str) -> Iterator[tuple[int, int, str]]:
    marks = list(_ANSWER.finditer(text))
    opening = [mark for mark in marks if not mark["close"]]
    if not opening:
        return
    last = opening[-1]
    end = next(
        (mark.start() for mark in marks if mark["close"] and mark.start() > last.end()), None
    )
    yield 0, last.end(), f"outside of {last[0]}"
    if end is not None:
        yield end, len(text), f"outside of {last[0]}"


def _comment_spans(text: str) -> Iterator[tuple[int, int, str]]:
    for comment in _COMMENT.finditer(text):
        yield comment.start(), comment.end(), "a comment"


def _asked_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """What was asked in a conversation."""
    turns = list(_TURN.finditer(text))
    for turn, following in zip(turns, [*turns[1:], None], strict=False):
        if turn["asks"] and len(turns) > 1:
            yield turn.start(), following.start() if following else len(text), "a question"


_TITLES = (
    "sources|references|citations|bibliography|works cited|further reading|see also|external links"
    "|footnotes|endnotes|notes|key takeaways|main takeaways|takeaways|key insights|lessons learned"
    "|disclaimer|disclaimers|caveats|limitations|methodology|assumptions|conclusion|conclusions"
    "|closing remarks|final thoughts|follow-up questions|next steps|related topics|resources"
    "|additional resources|data sources|important notes|source list|source|reference|note|caveat"
    "|quellen|quelle|quellenangaben|quellenverzeichnis|literatur|einzelnachweise|anmerkungen"
    "|anmerkung|hinweise|hinweis|fußnoten|wichtigste erkenntnisse|erkenntnisse|kernpunkte|fazit"
    "|haftungsausschluss|weiterführende links"
    "|références|bibliographie|remarques|remarque|points clés|points à retenir|à retenir"
    "|avertissement|clause de non-responsabilité|pour aller plus loin|liens externes"
    "|fuentes|fuente|referencias|bibliografía|notas|nota|puntos clave|conclusiones|conclusión"
    "|conclusiones clave|descargo de responsabilidad|aviso|enlaces externos|lecturas adicionales"
    "|fontes|fonte|referências|observações|observação|pontos-chave|pontos principais"
    "|principais conclusões|conclusões|conclusão|isenção de responsabilidade|ligações externas"
    "|fonti|riferimenti|note|punti chiave|conclusioni|conclusione|avvertenza|avvertenze"
    "|collegamenti esterni"
    "|bronnen|bron|referenties|bronvermelding|literatuur|noten|opmerkingen|opmerking|kernpunten"
    "|belangrijkste punten|belangrijkste inzichten|belangrijkste conclusies|conclusie|conclusies"
    "|voetnoten"
    "|источники|источник|ссылки|литература|список литературы|примечания|примечание"
    "|ключевые выводы|основные выводы|выводы|вывод|заключение|отказ от ответственности|сноски"
    "|المصادر|مصادر|المراجع|مراجع|ملاحظات|ملاحظة|الملاحظات|النقاط الرئيسية|أهم النقاط"
    "|الخلاصة|خلاصة|الخاتمة|إخلاء مسؤولية|تنويه|الهوامش"
    "|来源|资料来源|資料來源|来源列表|信息来源|参考资料|參考資料|参考文献|參考文獻|备注|備註|注释|註釋"
    "|注|说明|說明|要点|关键要点|主要启示|结论|結論|总结|免责声明|免責聲明|注意事项|注意"
    "|出典|参考資料|情報源|注釈|注記|備考|脚注|重要なポイント|まとめ|免責事項|ソース"
    "|출처|참고문헌|참고 문헌|참고 자료|참고자료|참고|주석|비고|각주|핵심 요점|주요 시사점|결론"
    "|면책 조항|면책조항|참고 사항"
)
_MORE = (
    r"(?:\s*(?:,|/|&|\+)|\s+(?:and|or|used|cited|consulted|on|about|for|from|regarding|und|zu|zur"
    r"|zum|über|et|sur|y|e|sobre|su|en|over|bij|и|к|о|و)\b|\s*[(（])[^0-9]*"
)
_TITLE = lazy.pattern(
    fold(rf"[\W\d_]*(?:{_TITLES})(?P<more>{_MORE})?\s*[:：.]?[\W_]*"), re.IGNORECASE
)
_REMARK = lazy.pattern(
    fold(rf"[^\w\[(]*(?:(?:please|important)\s+)?(?:{_TITLES}|n\.?b\.?|p\.?s\.?)[*_]*\s*[:：]"),
    re.IGNORECASE,
)
_DEFINITION = lazy.pattern(r"\[(?!(?:1\d|20)\d\d\])\^?[\w-]{1,20}\]:\s")
_QUOTED = lazy.pattern(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|„[^“]*“|「[^」]*」")
_SPEAKER = lazy.pattern(
    fold(
        r"(?-i:\bI\b)|\b(?:my|me|i'm|i've|i'll|please|sorry)\b|knowledge cut-?off|training data"
        r"|language model|\bas an ai\b|sprachmodell|wissensstand|modele de langage"
        r"|modelo de lengua[jg]e|modelo de linguagem|modello linguistico|taalmodel"
        r"|языков\w+ модел|نموذج لغوي|语言模型|語言模型|知识截止|言語モデル|언어 모델"
    ),
    re.IGNORECASE,
)


def is_section_title(text: str) -> bool:
    """Whether a title is that of sources, notes and the like.

    >>> is_section_title("📚 Sources and further reading"), is_section_title("Sources of the Nile")
    (True, False)
    """
    return bool(text.strip()) and bool(_TITLE.fullmatch(fold(text.strip())))


def is_remark(text: str) -> bool:
    """Whether a line is a remark ("Note: …", "Sources: …") or the text of a footnote."""
    plain = fold(text.strip())
    return bool(_REMARK.match(plain) or _DEFINITION.match(plain))


def speaks_of_itself(sentence: str) -> bool:
    """Whether the writer of an answer speaks of itself or to the reader: no event.

    >>> speaks_of_itself("As of my knowledge cutoff in April 2024, nothing is known.")
    True
    """
    return bool(_SPEAKER.search(fold(_QUOTED.sub("", sentence))))
