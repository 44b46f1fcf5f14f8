"""What secrets look like: the rules of detect-secrets, and ours for what those leave open."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret, and how to find it quickly.

    A text without any of the `roots`, which are in small letters, has none of it. With `at_root`
    the pattern is tried where they stand, else all over the text. What goes is a group whose name
    begins with `secret`, else all that matched; a group whose name begins with `value` goes where
    it looks like a secret, see `secret_values`.
    """

    kind: str
    pattern: re.Pattern[str]
    roots: tuple[str, ...]
    at_root: bool = True


# Of detect-secrets, with the roots of each. Not what guesses by randomness, which takes hashes for
# secrets, and not what ours find by more exact places. Named one by one, as a package without
# Python's own files holds only what is imported by name.
_BORROWED: Mapping[type[RegexBasedDetector], tuple[str, ...]] = {
    AWSKeyDetector: ("akia", "asia", "abia", "acca", "a3t", "aws"),
    DiscordBotTokenDetector: (".",),
    GitLabTokenDetector: ("gl", "gr1348941"),
    MailchimpDetector: ("-us",),
    SquareOAuthDetector: ("sq0",),
    TwilioKeyDetector: ("sk", "ac"),
}

# Tokens that begin with a word of their own.
_TOKENS = {
    "age key": (r"AGE-SECRET-KEY-1[0-9A-Z]{50,}", "age-secret-key-"),
    "Anthropic key": (r"sk-ant-[A-Za-z0-9_-]{16,}", "sk-ant-"),
    "Artifactory key": (r"AKC[A-Za-z0-9]{20,}", "akc"),
    "Atlassian token": (r"ATATT3[A-Za-z0-9_=-]{20,}", "atatt3"),
    "Databricks token": (r"dapi[a-f0-9]{32}(?:-\d)?", "dapi"),
    "DigitalOcean token": (r"do[opr]_v1_[a-f0-9]{64}", "doo_", "dop_", "dor_"),
    "Docker token": (r"dckr_pat_[A-Za-z0-9_-]{20,}", "dckr_"),
    "GitHub token": (
        r"(?:github_pat_[A-Za-z0-9_]{22,}|gh[oprsu]_[A-Za-z0-9_]{36,})",
        *("github_pat_", "gho_", "ghp_", "ghr_", "ghs_", "ghu_"),
    ),
    "Google key": (
        r"(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})",
        *("aiza", "gocspx-", "ya29."),
    ),
    "Hugging Face token": (r"hf_[A-Za-z0-9]{30,}", "hf_"),
    "Linear key": (r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}", "lin_"),
    "Mailgun key": (r"key-[a-f0-9]{32}", "key-"),
    "Notion token": (r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43})", "ntn_", "secret_"),
    "npm token": (r"npm_[A-Za-z0-9]{36,}", "npm_"),
    "OpenAI key": (r"sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}", "sk-"),
    "PyPI token": (r"pypi-[A-Za-z0-9_-]{50,}", "pypi-"),
    "SendGrid key": (r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{30,}", "sg."),
    "Shopify token": (r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", "shp"),
    "Slack token": (r"(?:xox[a-z]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{20,})", "xox", "xapp-"),
    "Stripe key": (
        r"(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}",
        *("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"),
    ),
    "Supabase key": (r"sb(?:p|_secret)_[A-Za-z0-9_]{20,}", "sbp_", "sb_secret_"),
    "Vault token": (r"hv[bsr]\.[A-Za-z0-9_-]{24,}", "hvb.", "hvs.", "hvr."),
    "web token": (r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{10,}", "eyj"),
}

# Places where what stands there is secret, whatever it looks like.
_PLACES = {
    "private block": (r"(?is)<private>.*?(?:</private>|\Z)", "<private>"),
    "private key": (
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?"
        r"(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)"
        r"|PuTTY-User-Key-File-\d.*?(?:Private-MAC: ?\S+|\Z)",
        *("-----begin ", "putty-user-key-file-"),
    ),
    "authorization": (
        r"(?i)authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
        r"(?:(?:bearer|basic|token|digest|apikey|bot)\s+(?P<secret>[\w.~+/=:-]{8,})"
        r"|(?P<value>[\w.~+/=:-]{8,})(?![\w(\[]))"
        r"|(?<![a-z])bearer\s+(?P<secret_bearer>[\w.~+/=-]{20,})"
        r"|x-(?:api|auth|access)-(?:key|token)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
        r"(?P<secret_header>[\w.~+/=-]{8,})",
        *("authorization", "bearer", "x-api-", "x-auth-", "x-access-"),
    ),
    "cookie": (
        r"(?i)cookie[\"']?\s{0,2}:\s{0,2}(?P<secret>[\w.-]{1,60}=[^\s\"']{8,}[^\n\"']*)",
        "cookie",
    ),
    "npm token": (
        r"(?i):_(?:authToken|password)=(?P<value>[^\s\[]\S*)",
        ":_authtoken=",
        ":_password=",
    ),
    "webhook": (
        r"(?i)https://(?:hooks\.slack\.com/services|(?:ptb\.|canary\.)?discord(?:app)?\.com/api/"
        r"webhooks|[a-z0-9-]+\.webhook\.office\.com)/(?P<secret>[\w/@-]{16,})",
        "https://",
    ),
    "storage key": (
        r"(?i)(?:Account|SharedAccess)Key=(?P<secret>[\w+/=]{40,})",
        "accountkey=",
        "accesskey=",
    ),
}

_QUOTED = r"""(?P<quote>["'`])(?P<value_quoted>[^"'`\n]{4,400})(?P=quote)"""
_VALUE = rf"""(?:{_QUOTED}|(?P<value>[^\s"'`,;)}}\]<>|&，。；、！？）」』】]{{4,400}}))"""
_TYPED = r"\s{0,3}:\s{0,3}[A-Za-z_][\w\[\]|.]{0,30}\s{0,3}="  # `token: str = `
_SET = rf"(?:{_TYPED}|\s{{0,3}}(?:=>|:=|=(?!=)|:(?!:)))\s{{0,3}}"
_KEYS = ("access", "account", "api", "auth", "client", "encryption", "master", "private", "secret")
_KEY = "|".join(
    f"(?<={word})|(?<={word}[_ -])" for word in (*_KEYS, "service", "shared", "signing")
)
_NAME = (
    r"(?P<name>password|passwd|passphrase|passcode|pass(?<=_pass)|pwd|secret|token|credentials?|"
    rf"(?:{_KEY})key)"
)
_NAMES = ("pass", "pwd", "secret", "token", "credential", "key")
_FOREIGN = ("密码", "口令", "密钥", "令牌", "パスワード", "暗証番号", "秘密鍵", "トークン")

# Names whose value is secret if it looks like one.
_NAMED = {
    "password": (
        r"://[^\s:/@\"'`]{0,80}:(?P<value>[^\s/@\"'`]{3,200})@(?=[\w\[])",
        "://",
    ),
    "secret": (
        rf"(?i){_NAME}[\"'`]?\]?(?:{_SET}|\s+(?:is|was)\s+|(?<!\s)\s+(?=--)){_VALUE}",
        *_NAMES,
    ),
    "secret ": (
        rf"(?P<name>{'|'.join(_FOREIGN)})\s{{0,3}}(?:[:：=＝]|是|为|は|が)\s{{0,3}}{_VALUE}",
        *_FOREIGN,
    ),
    "secret  ": (
        r"(?i)(?P<name>password|passphrase|passcode)\s+"
        r"(?P<value>(?=\S*\d)(?=\S*[a-z])[^\s\"'`,;)}\]<>|&]{8,200})",
        "pass",
    ),
    "secret of a command": (
        rf"(?i)--(?P<name>(?:[a-z0-9]+-){{0,3}}(?:pass\w*|secret|token|api-?key|key))(?:=|\s+){_VALUE}"
        r"|mysql\w*\s[^\n]{0,200}?(?<=\s)-p(?P<value_mysql>[^\s\"'-][^\s\"']{3,200})"
        r"|sshpass\s+-p\s*(?P<value_sshpass>[^\s\"']{4,200})"
        r"|curl\s[^\n]{0,200}?(?<=\s)(?:-u|--user)\s+[\"']?[^\s:\"']{1,80}:"
        r"(?P<value_curl>[^\s\"']{3,200})",
        *("--", "mysql", "sshpass", "curl "),
    ),
}


def rules() -> Iterator[Rule]:
    """Return all rules."""
    for kind, (pattern, *roots) in (_PLACES | _NAMED).items():
        yield Rule(kind.strip(), re.compile(pattern), tuple(roots))
    for kind, (pattern, *roots) in _TOKENS.items():
        yield Rule(kind, _apart(pattern, 0), tuple(roots))
    telegram = re.compile(r"(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{30,}(?![A-Za-z0-9_-])")  # bot123:AA
    yield Rule("Telegram token", telegram, (":aa",), at_root=False)
    for detector, borrowed in _BORROWED.items():
        denylist: Any = detector.denylist  # nothing of it that would ask a server is called
        for each in (denylist,) if isinstance(denylist, re.Pattern) else denylist:
            kind = str(detector.secret_type)
            yield Rule(kind, _apart(each.pattern, each.flags), borrowed, at_root=False)


def _apart(pattern: str, flags: int) -> re.Pattern[str]:
    """A token stands alone: a piece of a longer hash is none."""
    return re.compile(rf"(?<![A-Za-z0-9_-])(?:{pattern})(?![A-Za-z0-9_])", flags)
