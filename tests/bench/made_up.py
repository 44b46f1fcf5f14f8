"""Queries that no memory can answer: the honest answer is "none"."""

import random
import sqlite3
import string
from collections.abc import Callable, Sequence

from tests.bench.api import Answer, Api
from tests.bench.databases import Corpus, reading
from tests.bench.table import Group, Row
from tests.bench.targets import row

QUERIES = 100
SEED = 5
_TEXTS = {
    "observations": ("title", "subtitle", "narrative", "text", "facts", "concepts"),
    "session_summaries": (
        "request",
        "investigated",
        "learned",
        "completed",
        "next_steps",
        "notes",
    ),
    "user_prompts": ("prompt_text",),
}

ENGLISH = """
giraffe hedgehog walrus ostrich flamingo pelican hippopotamus rhinoceros armadillo porcupine
squirrel chipmunk beaver otter badger weasel raccoon skunk mongoose meerkat lemur orangutan
gorilla baboon leopard cheetah panther lynx hyena jackal coyote reindeer moose antelope gazelle
buffalo donkey hamster tadpole salamander iguana chameleon tortoise crocodile dolphin porpoise
jellyfish starfish lobster oyster mussel mackerel sardine herring trout swordfish stingray
woodpecker kingfisher nightingale sparrow pigeon peacock cockatoo toucan
teapot saucer ladle colander spatula corkscrew tablecloth napkin teaspoon cauldron casserole
toaster kettle dishwasher cupboard pantry oven apron strainer breadcrumb
marmalade custard gingerbread cinnamon nutmeg rosemary parsley cucumber aubergine asparagus
artichoke broccoli cauliflower radish turnip beetroot zucchini pumpkin apricot raspberry
blueberry gooseberry strawberry pineapple pomegranate tangerine watermelon coconut walnut
hazelnut pancake omelette sausage lasagna meringue
drizzle thunderstorm hailstone blizzard snowflake icicle rainbow hurricane tornado puddle
hammock armchair wardrobe chandelier doormat pillowcase bathtub mattress curtain lampshade
mitten scarf cardigan slipper raincoat umbrella necklace bracelet wristwatch suspenders
trombone clarinet accordion bagpipes tambourine harpsichord
wheelbarrow lawnmower greenhouse scarecrow haystack windmill lighthouse rowboat gondola
tricycle snowman bonfire picnic trampoline
"""
CHINESE = """
长颈鹿 刺猬 火烈鸟 河马 松鼠 茶壶 擀面杖 洋葱 草莓 西瓜
菠萝 雪人 彩虹 台风 雨伞 围巾 风筝 灯笼 手风琴 吊床
"""


def random_letters(chance: random.Random) -> str:
    """Return one to three runs of four to nine letters."""
    return " ".join(
        "".join(chance.choices(string.ascii_lowercase, k=chance.randint(4, 9)))
        for _ in range(chance.randint(1, 3))
    )


def queries(occurs: Callable[[str], bool], *, number: int = QUERIES) -> list[str]:
    """Return half random letters, half everyday words, none of which occurs anywhere."""
    chance = random.Random(SEED)
    absent = [word for word in (ENGLISH + CHINESE).split() if not occurs(word)]
    if len(absent) < 10:
        raise RuntimeError(f"only {absent} of the word list are absent: add words to it")
    letters: list[str] = []
    while len(letters) < number // 2:
        query = random_letters(chance)
        if not any(occurs(word) for word in query.split()):
            letters.append(query)
    words = [" ".join(chance.sample(absent, chance.randint(1, 3))) for _ in letters]
    return letters + words


def all_text(connection: sqlite3.Connection) -> str:
    """Return every word of the database in lower case, as one text to look into."""
    parts: list[str] = []
    for table, columns in _TEXTS.items():
        for values in connection.execute(f"SELECT {', '.join(columns)} FROM {table}"):
            parts.extend(value.casefold() for value in values if value)
    return "\n".join(parts)


def is_none(answer: Answer) -> bool:
    """Say whether a reply in JSON says that nothing was found."""
    reply = answer.json()
    return answer.status == 200 and (reply["outcome"] == "none" or reply["total"] == 0)


def measure(corpus: Corpus, port: int) -> Row:
    """Return the share answered "none", and the first queries that were not."""
    with reading(corpus.database) as connection:
        text = all_text(connection)
    asked = queries(lambda word: word.casefold() in text)
    with Api(port) as api:
        found = [q for q in asked if not is_none(_ask(api, q))]
    note = f"not: {', '.join(map(repr, found[:5]))}" if found else ""
    share = 100 * (1 - len(found) / len(asked))
    return row("made_up", corpus.name, share, unit="%", limit=100, note=note)


def group(rows: Sequence[Row]) -> Group:
    """Return the table of all databases."""
    return Group(f'{QUERIES} made-up queries are answered "none"', tuple(rows))


def _ask(api: Api, query: str) -> Answer:
    return api.get("/api/search", {"query": query, "limit": 10, "format": "json"})
