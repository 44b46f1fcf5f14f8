"""Forty sentences with a made-up secret each."""


def _plant(text: str, *parts: str) -> tuple[str, str]:
    """Puts the secret where the text has a section sign; its parts make no scanner look up."""
    secret = "".join(parts)
    return text.replace("§", secret), secret


PLANTED: tuple[tuple[str, str], ...] = (
    # Keys of Amazon's cloud.
    _plant(
        "export AWS_ACCESS_KEY_ID=§ and run the plan again, it should find the bucket now",
        "AK",
        "IA",
        "YOTICQFCFQTLVQ",
        "HA",
    ),
    _plant(
        "[default]\naws_secret_access_key = §\nregion = eu-central-1",
        "zt9kXGXda6bptS",
        "wdvEefsxokT99C",
        "1D43NNTCFsFu",
    ),
    # Keys of other clouds.
    _plant(
        'loader.src = "https://maps.googleapis.com/maps/api/js?key=§&libraries=places"',
        "AI",
        "za",
        "Sy392tCIlCoHbU",
        "gGNyUFR9FpTmND",
        "XbpFcH2",
    ),
    _plant(
        (
            "AZURE_STORAGE_CONNECTION_STRING=DefaultEndpointsProtocol=https;Account"
            "Name=devlogs;AccountKey=§;EndpointSuffix=core.windows.net"
        ),
        "XEHuR9PwjKXzST",
        "vMPWHpdHCz34Bi",
        "mL/vlDeGR74hAf",
        "TUqZ89NQj2Kopt",
        "7JKFm1dIS7ac3q",
        "1x443Euciyn6q8",
        "p1==",
    ),
    # Tokens of git hosts.
    _plant(
        "git clone https://x-access-token:§@github.com/acme/billing.git",
        "gh",
        "p_",
        "LVl7oLeh713HVB",
        "8B7fiRtNXFapOr",
        "qOlz4Y8A",
    ),
    _plant(
        "curl -s --header 'PRIVATE-TOKEN: §' https://gitlab.acme.test/api/v4/projects/42/jobs",
        "gl",
        "pat-",
        "56_pCLcJWeshnO",
        "7TO44g",
    ),
    # Keys of model vendors.
    _plant(
        "ANTHROPIC_API_KEY=§ npx tsx scripts/summarise.ts --dry-run",
        "sk-",
        "ant-",
        "api03-RePkpSi3",
        "6uzDHzY58Rre4T",
        "0ixCtVZclFqTyT",
        "LDTWQHkat9vUjM",
        "sfxAN6MNJqW1dK",
        "SiQJRniVoc5VIp",
        "miIe0VOigVD2-O",
        "SAA",
    ),
    _plant(
        'client = OpenAI(api_key="§")  # works with this one',
        "sk-",
        "proj-",
        "jJLpunUXWQberq",
        "Akw5RKSz1xfU78",
        "CkVSHuEPB1JC7K",
        "7ou2rdT3BlbkFJ",
        "REYdItX6guZKfh",
        "qFVdIHUAY2xIG_",
        "mqmYSprItcQ_KT",
        "dZBe2o",
    ),
    # Tokens of chats.
    _plant(
        ("the bot answers 'invalid_auth' although SLACK_BOT_TOKEN is §, do I need another scope?"),
        "xo",
        "xb-",
        "700875618398-7",
        "591110993724-W",
        "tOdOV2SIa4TPnK",
        "Qaq0QWYyy",
    ),
    _plant(
        "curl https://api.telegram.org/bot§/getUpdates | jq .result",
        "7128594836:AAs",
        "JSBlTiu-yYKJWC",
        "UtQZ7M35Hr_kfy",
        "i9FU",
    ),
    # Keys for payments.
    _plant(
        ("2026-03-04T09:12:55Z ERROR stripe: request failed key=§ status=402 code=card_declined"),
        "sk_",
        "live_",
        "9ahQjq25ojSAXr",
        "ehZW9YXoee",
    ),
    _plant(
        '{"provider": "stripe", "restricted": "§", "currency": "eur"}',
        "rk_",
        "live_",
        "pyZtq5R5tTxMzT",
        "vJfK4sanlE",
    ),
    # Tokens of package registries.
    _plant(
        "//npm.example.com/:_authToken=§\nalways-auth=true",
        "np",
        "m_",
        "foVhEMaltxWmBS",
        "opqPCoCHonccES",
        "8wdQYEMl",
    ),
    _plant(
        "twine upload -u __token__ -p § dist/*",
        "py",
        "pi-",
        "AgEIcHlwaS5vcm",
        "czQn9n8mWxQ8mp",
        "VuUihS78fK6Y0O",
        "OP98sukCIqfrlw",
        "JnetCnWkWIawI_",
        "6xJOeGg1qRaujg",
        "3ctlVCwD4QyCLH",
        "6XM-iaL-UGsRC_",
        "So5OgY-AxIr_CU",
        "3z77z3qrhQI400",
        "4c83OAE5Q-JcQ0",
        "Pa_CipDwoaG",
    ),
    # JSON web tokens.
    _plant(
        "the middleware logs: rejected § because 'exp' is in the past, but the clock is right",
        "ey",
        "JhbGciOiJIUzI1",
        "NiIsInR5cCI6Ik",
        "pXVCJ9.eyJzdWI",
        "iOiAiNDgyMTMiL",
        "CAibmFtZSI6ICJ",
        "NaXJhIFZvc3MiL",
        "CAiaWF0IjogMTc",
        "4MTIzNDU2N30.j",
        "lP7C4BDMI_CmLd",
        "dQjwCmjK5VtHtG",
        "MSeFDKkPPadi4f",
    ),
    _plant(
        "localStorage.setItem('access_token', '§') in the console gets me past the login page",
        "ey",
        "JhbGciOiJSUzI1",
        "NiIsImtpZCI6Ij",
        "d4MSJ9.eyJpc3M",
        "iOiAiaHR0cHM6L",
        "y9hdXRoLmFjbWU",
        "udGVzdCIsICJhd",
        "WQiOiAic2hvcCI",
        "sICJleHAiOiAxN",
        "zk5OTk5OTk5LCA",
        "ic2NvcGUiOiAib",
        "3JkZXJzOndyaXR",
        "lIn0.EpIxI4Eht",
        "qGOG9CKuaLqXlo",
        "Slh3aO3W6-NIZ6",
        "iiCAx2wY4isZ3j",
        "bqVvCmQmgb8a9s",
        "PwsaLdXJjXXHFj",
        "n0rkmTJ",
    ),
    # Private keys.
    _plant(
        "why does openssl not read this?\n-----BEGIN "
        + "RSA PRIVATE KEY-----\n§\n-----END "
        + "RSA PRIVATE KEY-----",
        "MIIEpAIBAAKCAQ",
        "EARL8og2D1K/ZC",
        "NgmK92C7QT5PRv",
        "nWthsLLucPM2ih",
        "tlEVbdyo\nMarp+",
        "zfbccjOhMCIbyq",
        "DcJbr2ZV1Qnp2D",
        "AYZH3bjQXWqGn/",
        "DXJiXsmVqZXI6H",
        "Hsl\nPe7Dzgs4Qu",
        "T1/qmaI8+2dgie",
        "h5uC6DLtuAoi+d",
        "V+PKcDYKB0dTkB",
        "huHNeHZ0QWzq\nN",
        "hwAioT3mMwmAX6",
        "yJJkNhdRznbmbT",
        "uH3FMyMqRU9MHB",
        "zr0H71v5MjDhhX",
        "IWcG4fY\nqYQn+W",
        "YKBGRky++9UPsM",
        "STjEHgGPZR04ip",
        "ij8cfZ==",
    ),
    _plant(
        "cat > ~/.ssh/deploy <<'KEY'\n-----BEGIN "
        + "OPENSSH PRIVATE KEY-----\n§\n-----END "
        + "OPENSSH PRIVATE KEY-----\nKEY\nchmod 600 ~/.ssh/deploy",
        "b3BlbnNzaC1rZX",
        "ktdjEAAAAABG5v",
        "bmUAAAAEbm9uZQ",
        "AAAAAAAAABAAAA",
        "MwAAAAtzc2gtZW",
        "\n0klSYzUfSc7bV",
        "M6c9oVgpXHPA2V",
        "KV1DkL08wmDIqA",
        "MMGk+eqWSwPW8E",
        "ZTqwRDn8hFy7p6",
        "f\nWX5u1ijKjziy",
        "neo/H9zQEh536p",
        "7vEKjg7bfb5sHB",
        "+4VYK4/CzjDsym",
        "VhTSh99oKCqUcu",
        "ZM\n4G8pblroOWO",
        "UxfqCaH1kCTvta",
        "b0e7ifRlmUSX1=",
        "=",
    ),
    _plant(
        '{"type": "service_account", "private_key": "-----BEGIN '
        + "PRIVATE KEY-----\\n§\\n-----END "
        + 'PRIVATE KEY-----\\n", "client_id": "108"}',
        "MIIEvQIBADANBg",
        "kqhkiG9w0BAQEF",
        "AASCnm+ir4FkGo",
        "wxMtvUh4+x5PzL",
        "XcRuQqPn\\n35+g",
        "n3H92bsiOMFFyi",
        "Dg23bB/EW2XfY5",
        "Nh7DttIYzrxAu3",
        "zIioJREZPFv4X5",
        "kOyI\\nnzWgYTYh",
        "2MDw/6jloTBK5A",
        "+GwyXcPq0HHqVD",
        "5qi57pRYHsktLP",
        "W14Hw//wFduTFP",
    ),
    # Strings to connect with.
    _plant(
        ("DATABASE_URL=postgres://orders_app:§@db.internal.acme.test:5432/orders?sslmode=require"),
        "v8Kq!",
        "mT2rZ",
    ),
    _plant(
        ("mongosh 'mongodb+srv://reporter:§@cluster0.h7k2p.mongodb.net/metrics?retryWrites=true'"),
        "k12HNFv2o",
        "vZMnVWhlK",
    ),
    # Headers that authorise.
    _plant(
        (
            "> GET /v2/_catalog HTTP/1.1\n> Host: registry.acme.test\n> Authorization: "
            "Basic §\n< HTTP/1.1 401"
        ),
        "YnVpbGRlcjo1Wl",
        "g3SnRNMEh5MzhF",
        "NFg=",
    ),
    _plant(
        (
            "curl -X POST -H 'Authorization: Bearer §' -d @order.json "
            "https://api.acme.test/v1/orders"
        ),
        "9dzT7ow6T1gccP",
        "tIqquVqZICFpdA",
        "4YfnfqnAFdTI",
    ),
    # Passwords in files of the environment.
    _plant(
        "here is my .env:\nDB_HOST=localhost\nDB_PASSWORD=§\nDB_NAME=shop", "Gr4nite-", "otter-61"
    ),
    _plant("SMTP_USER='noreply@acme.test'\nSMTP_PASS='§'\nSMTP_PORT=587", "wq7^Lp", "0#zzDk"),
    # Passwords in YAML.
    _plant(
        (
            "spring:\n  datasource:\n    url: jdbc:postgresql://db:5432/app\n    username: "
            "app\n    password: §\n    pool: 10"
        ),
        "Teapot_93",
        "_Harbour",
    ),
    _plant('grafana:\n  enabled: true\n  adminPassword: "§"\n  replicas: 1', "m0nitor!", "Ng-2031"),
    # Secrets in JSON.
    _plant('{"user": "ci-bot", "password": "§", "realm": "build"}', "Zx-81p", "elican"),
    _plant(
        '"oauth": {"clientId": "shop-web", "clientSecret": "§", "redirect": "/callback"}',
        "fHnKpfI740RNI8",
        "Hnl4pRTmPHwPRb",
        "hqWm",
    ),
    # Passwords on command lines.
    _plant(
        "mysql -h db1.acme.test -u root -p§ shop < dump.sql hangs, can you see why?",
        "h0neyB4",
        "dger77",
    ),
    _plant(
        "curl -u deploy:§ -T build.tgz https://artifacts.acme.test/releases/", "tUn7-gra", "vel-Sky"
    ),
    # Passwords in English prose.
    _plant("The staging password is §, please don't put it in the readme.", "Marigol", "d!5582"),
    _plant(
        "log in as admin with the passphrase § and look at the second tab, it is empty",
        "correct-walnut",
        "-9-ferry",
    ),
    # Passwords in Chinese prose.
    _plant("测试环境的密码是§，别提交到仓库里", "Yun5an", "#2047"),
    _plant("数据库账号 root，口令：§，端口 3307，你直接连上去看看表结构", "lanhai_", "8816!q"),
    # Cookies.
    _plant(
        "curl https://shop.acme.test/cart -H 'Cookie: sessionid=§; theme=dark'",
        "b7ftso84qun7r5",
        "r30boieb2j7lzc",
        "l8mq",
    ),
    # Webhooks.
    _plant(
        ("alerts go to https://hooks.slack.com/services/T04QK8ZR1/B05LM2XWC/§ every five minutes"),
        "eQlRxZd0TgC5Jx",
        "NeMd3xMwyC",
    ),
    _plant(
        'notify: "https://discord.com/api/webhooks/1187463920518273640/§"',
        "Pw6c-gMu-CoBOE",
        "pbHet4xZTBm8Ek",
        "s5U9BZbVjZMtRY",
        "1ZUYydYQlCHxP9",
        "o268WPL8zxHB",
    ),
    # Blocks marked as private, also one that nobody closed.
    _plant(
        "Plan the release for Friday. <private>§</private> Then update the changelog.",
        "the client is ",
        "Halberd Bank a",
        "nd they pay 40",
        "k a month",
    ),
    _plant(
        "look at this log and tell me what fails first\n<private>\n§",
        "2026-02-11 02:",
        "14 patient Ine",
        "s Oduya, born ",
        "1981, result p",
        "ositive",
    ),
)
