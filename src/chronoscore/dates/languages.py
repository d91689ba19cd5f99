"""The words of dates in twelve languages; `vocabulary` makes patterns of them.

Names of months and weekdays are in `names.txt`: those of the Unicode CLDR, with the forms that a
date takes (the genitive of Russian months) and usual abbreviations. Chinese, Japanese and Korean
write dates in figures with a sign behind each; `east_asian` reads these.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Language:
    """The words that dates are written with, each tuple in the order of what it names.

    Names of one month or weekday stand in one string, the full one first, the abbreviations
    without their dot, and `_` for a blank inside a name. Eras have their dots, which a text
    may leave out. A century or decade is named by a word behind its number or before it. A
    language has only the words that it needs.
    """

    months: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()
    ordinals: tuple[str, ...] = ()
    ordinal_endings: str = ""
    before_christ: tuple[str, ...] = ()
    anno_domini: tuple[str, ...] = ()
    centuries: str = ""
    century_prefixes: str = ""
    decade_suffixes: str = ""
    decade_prefixes: str = ""
    seasons: str = ""
    quarters: str = ""
    halves: str = ""
    weeks: str = ""
    times_of_day: str = ""
    of: str = ""
    year_words: str = ""
    fillers: str = ""
    range_words: str = ""
    ongoing: str = ""
    parts: str = ""
    circa: str = ""
    approximate: str = ""
    limits: str = ""
    prepositions: str = ""


@cache
def read_names() -> dict[str, list[str]]:
    """The columns of `names.txt`, which docs/date_names.py writes, by language."""
    table = files("chronoscore.dates").joinpath("names.txt").read_text("utf-8")
    return {code: columns for code, *columns in (line.split("\t") for line in table.splitlines())}


def _names(code: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The months and weekdays of a language."""
    months, weekdays = read_names()[code]
    return tuple(months.split("|")), tuple(weekdays.split("|"))


ENGLISH = Language(
    *_names("en"),
    ordinals=(
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth",
        "seventeenth", "eighteenth", "nineteenth", "twentieth", "twenty-first",
    ),
    ordinal_endings="st nd rd th",
    before_christ=("B.C.E.", "B.C."),
    anno_domini=("A.D.", "C.E."),
    centuries="century centuries cent",
    seasons="spring summer autumn fall winter",
    quarters="quarter",
    halves="half",
    weeks="week calendar_week cw wk",
    times_of_day="morning afternoon evening night",
    of="of",
    fillers="the of or",
    range_words="to through thru until till and",
    ongoing="present ongoing today now onwards onward",
    parts="early mid middle late later beginning start end week_of weekend_of mid-to-late "
    "early-to-mid mid_to_late early_to_mid",
    circa="circa ca. c.",
    approximate="approximately approx. roughly ~",
    limits="around about by since from after before until as",
    prepositions="in on during throughout between",
)  # fmt: skip
GERMAN = Language(
    *_names("de"),
    before_christ=("v.Chr.", "v.u.Z."),
    anno_domini=("n.Chr.", "u.Z."),
    centuries="jahrhundert jahrhunderte jh jhd jhdt",
    decade_suffixes="er er_jahre er_jahren",
    seasons="frühjahr frühling sommer herbst winter",
    quarters="quartal",
    halves="halbjahr",
    weeks="kw kalenderwoche woche",
    times_of_day="morgen vormittag nachmittag abend nacht",
    fillers="der den dem des die",
    range_words="bis und",
    ongoing="heute",
    parts="anfang mitte ende frühen späten spät",
    circa="zirka circa",
    approximate="etwa rund ungefähr",
    limits="um ab seit nach vor gegen bis vom",
    prepositions="am im in zwischen während",
)  # fmt: skip
FRENCH = Language(
    *_names("fr"),
    ordinal_endings="er ère e ème",
    before_christ=("av.J.-C.", "avant_J.-C."),
    anno_domini=("apr.J.-C.", "après_J.-C."),
    centuries="siècle",
    decade_prefixes="années",
    seasons="printemps été automne hiver",
    quarters="trimestre",
    halves="semestre",
    weeks="semaine",
    times_of_day="matin après-midi soir nuit",
    of="de",
    fillers="le la les du l' d' des",
    range_words="au à et jusqu'au",
    ongoing="aujourd'hui présent",
    parts="début mi mi- milieu fin courant",
    circa="vers environ",
    limits="depuis dès après avant jusqu'en",
    prepositions="en dans au entre durant pendant",
)  # fmt: skip
SPANISH = Language(
    *_names("es"),
    ordinal_endings="o ro er",
    before_christ=("a.C.", "a.e.c.", "antes_de_Cristo"),
    anno_domini=("d.C.", "e.c."),
    century_prefixes="siglo s.",
    decade_prefixes="década_de años",
    seasons="primavera verano otoño invierno",
    quarters="trimestre",
    halves="semestre",
    weeks="semana",
    times_of_day="mañana tarde noche",
    of="de del",
    fillers="el la los las de del año",
    range_words="a al hasta y",
    ongoing="presente actualidad hoy",
    parts="principios comienzos inicios mediados finales fines",
    circa="hacia alrededor_de",
    approximate="aproximadamente",
    limits="desde tras después_de antes_de para",
    prepositions="en a entre durante",
)  # fmt: skip
PORTUGUESE = Language(
    *_names("pt"),
    ordinal_endings="o",
    before_christ=("a.C.", "antes_de_Cristo"),
    anno_domini=("d.C.",),
    century_prefixes="século",
    decade_prefixes="década_de anos",
    seasons="primavera verão outono inverno",
    quarters="trimestre",
    halves="semestre",
    weeks="semana",
    times_of_day="manhã tarde noite",
    of="de do",
    fillers="o a os as de do da ano",
    range_words="a até e",
    ongoing="presente atualmente hoje",
    parts="início inícios começo meados final finais fim",
    circa="cerca_de por_volta_de",
    limits="desde após depois_de antes_de",
    prepositions="em no na nos nas entre durante",
)  # fmt: skip
ITALIAN = Language(
    *_names("it"),
    ordinal_endings="o °",
    before_christ=("a.C.", "avanti_Cristo"),
    anno_domini=("d.C.",),
    centuries="secolo sec",
    decade_prefixes="anni",
    seasons="primavera estate autunno inverno",
    quarters="trimestre",
    halves="semestre",
    weeks="settimana",
    times_of_day="mattina pomeriggio sera notte",
    of="di del",
    fillers="il lo la i gli le l' di del dell' dello",
    range_words="al a fino_al e",
    ongoing="oggi presente",
    parts="inizio inizi all'inizio metà fine",
    circa="circa verso",
    limits="dal dalla da dopo prima_del entro",
    prepositions="nel nell' in a tra fra durante all'",
)  # fmt: skip
DUTCH = Language(
    *_names("nl"),
    ordinal_endings="e ste de",
    before_christ=("v.Chr.",),
    anno_domini=("n.Chr.",),
    centuries="eeuw",
    decade_prefixes="jaren",
    seasons="lente voorjaar zomer herfst najaar winter",
    quarters="kwartaal",
    halves="helft",
    weeks="week",
    times_of_day="ochtend middag avond nacht",
    of="van",
    fillers="de het van",
    range_words="tot t/m tot_en_met en",
    ongoing="heden nu vandaag",
    parts="begin midden medio half eind einde",
    circa="circa",
    approximate="ongeveer omstreeks",
    limits="rond vanaf sinds na voor tegen",
    prepositions="op in tijdens tussen",
)  # fmt: skip
RUSSIAN = Language(
    *_names("ru"),
    ordinal_endings="-го -е -й -ого -м",
    before_christ=("до_н.э.", "до_н._э.", "до_нашей_эры"),
    anno_domini=("н.э.", "нашей_эры"),
    centuries="век века веке в.",
    decade_suffixes="-е -е_годы -х -х_годов -х_годах",
    seasons="весна весной лето летом осень осенью зима зимой весны лета осени зимы",
    quarters="квартал квартале",
    halves="полугодие полугодии",
    weeks="неделя неделе",
    times_of_day="утро утром днём вечер вечером ночь ночью",
    year_words="г. г года году год гг. годы",
    range_words="по до и",
    ongoing="настоящее_время сегодня наст._время н._в.",
    parts="начало начале середина середине конец конце",
    circa="около ок. примерно",
    limits="с со к до после от",
    prepositions="в во на между",
)  # fmt: skip
ARABIC = Language(
    *_names("ar"),
    before_christ=("ق.م.", "قبل_الميلاد"),
    anno_domini=("بعد_الميلاد",),
    century_prefixes="القرن",
    seasons="ربيع صيف خريف شتاء",
    times_of_day="صباح مساء ليل",
    of="من عام سنة",
    year_words="م ميلادي ميلادية",
    fillers="من عام سنة شهر يوم",
    range_words="إلى حتى و",
    ongoing="الآن اليوم الحاضر",
    parts="أوائل مطلع بداية منتصف أواخر نهاية",
    circa="حوالي نحو",
    limits="منذ بعد قبل بحلول",
    prepositions="في خلال بين",
)  # fmt: skip
LANGUAGES = (
    ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN, DUTCH, RUSSIAN, ARABIC,
)  # fmt: skip
"""The languages that write months with words."""
