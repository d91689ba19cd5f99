r"""The inside of a line of Markdown: its marks taken off, or put on so that they stay off.

>>> plain("**Crews** reach the [well](https://example.org) \\*at last\\*")
'Crews reach the well *at last*'
"""

import html
import re

_INLINE = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|!\[[^]]*\]\([^()]*\)"
    r"|\[(?P<link>[^][]+)\]\((?:[^()]|\([^()]*\))*\)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});)"
    r"|(?P<break><br\s*/?>)"
    r"|\*\*|__(?=\S)|(?<=\S)__|~~"
    r"|\*(?=\S)|(?<=\S)\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)"
)
_SPECIAL = re.compile(r"[\\`*_\[\]<>&~|]|<br")
_BOLD = re.compile(r"(\*\*\*|\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")


def plain(text: str) -> str:
    """Take off emphasis, links, code marks and escapes; `<br>` ends a sentence."""
    return _INLINE.sub(_replacement, text).strip()


def escape_marks(text: str) -> str:
    """Write a text so that `plain` gives it back."""
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def hide_start(text: str) -> str:
    """Write the first character as an entity, so that the text opens with no mark or date."""
    return f"&#{ord(text[0])};{escape_marks(text[1:])}"


def bold_start(text: str) -> tuple[str, str] | None:
    """The emphasised beginning of a text and the rest, both still with their marks."""
    found = _BOLD.match(text)
    return (found[2].strip(), text[found.end() :]) if found else None


def _replacement(found: re.Match[str]) -> str:
    if found["escaped"]:
        return found["escaped"]
    if found["code"]:
        return found["code"].strip()
    if found["link"]:
        return plain(found["link"])
    if found["entity"]:
        return html.unescape(found["entity"])
    return "\n" if found["break"] else ""
