"""Five hundred sentences and lines that only look as if they held a secret."""

import base64
import hashlib
import random
import string
import uuid
from collections.abc import Iterator

SEED = 20
_HEX = "0123456789abcdef"
_WORDS = (
    "parser",
    "worker",
    "session",
    "retry",
    "cache",
    "stream",
    "index",
    "invoice",
    "importer",
    "scheduler",
    "cursor",
    "window",
    "layout",
    "banner",
    "cluster",
    "snapshot",
    "adapter",
    "handler",
    "migration",
    "fixture",
    "report",
    "gateway",
    "toggle",
    "export",
    "queue",
)

_WRITTEN: tuple[str, ...] = (
    # Code that only speaks of passwords and tokens.
    "def check_password(self, password: str) -> bool:",
    "password: str | None = None",
    "password = getpass.getpass('Password: ')",
    "token = request.headers.get('Authorization')",
    "const token = await getAccessToken({ audience, scope })",
    "const { password, ...safeUser } = user",
    "if (!password || password.length < 12) throw new WeakPassword()",
    "secret = os.environ['SESSION_SECRET']",
    "api_key = settings.openai_api_key.get_secret_value()",
    "apiKey: process.env.ANTHROPIC_API_KEY,",
    "interface Credentials { username: string; password: string; otp?: string }",
    "type Token = { accessToken: string; refreshToken: string | null }",
    "hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt())",
    "assert 'password' not in response.json()",
    "expect(screen.getByLabelText('Password')).toBeVisible()",
    "await page.getByLabel('Password').fill(password)",
    "passwordField.addTarget(self, action: #selector(passwordChanged), for: .editingChanged)",
    "let password = Password::try_from(form.password)?;",
    "func NewTokenSource(ctx context.Context, key []byte) oauth2.TokenSource {",
    "ALTER TABLE users ADD COLUMN password_hash text NOT NULL;",
    "SELECT id, email, password_changed_at FROM accounts WHERE reset_token IS NOT NULL",
    "password = models.CharField(max_length=128, verbose_name='password')",
    "class PasswordResetTokenGenerator(BaseTokenGenerator):",
    "token_type_hint = 'refresh_token'",
    "tokens = tokenizer.encode(text, add_special_tokens=False)",
    "max_tokens=4096, temperature=0.2, stop_sequences=['</answer>']",
    "usage.cache_read_input_tokens += chunk.usage.cache_read_input_tokens",
    "self.token = self.lexer.next_token()",
    "while (token.kind !== TokenKind.EOF) token = scanner.next()",
    "private readonly tokenBucket = new TokenBucket(capacity, refillPerSecond)",
    "csrf_token = generate_csrf()",
    '<input type="password" name="password" autocomplete="current-password">',
    '<input type="hidden" name="csrf_token" value="{{ csrf_token() }}">',
    "secrets: inherit",
    "permissions:\n  id-token: write\n  contents: read",
    "credentials = service_account.Credentials.from_service_account_file(path)",
    "key = lambda item: item.created_at",
    "primary_key=True, index=True",
    "sorted(rows, key=itemgetter('session_id'))",
    "foreign_key: :author_id, primary_key: :uuid",
    "localStorage.removeItem('access_token')",
    "headers['Authorization'] = f'Bearer {token}'",
    "headers: { Authorization: `Bearer ${session.accessToken}` }",
    "req.setRequestHeader('X-CSRF-Token', readCookie('csrftoken'))",
    "auth=(settings.user, settings.password)",
    "return jwt.decode(token, public_key, algorithms=['RS256'])",
    "signature = hmac.new(secret, body, hashlib.sha256).hexdigest()",
    "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
    "@pytest.fixture\ndef password() -> str:",
    "raise InvalidPassword('the old password does not match')",
    "throw new Error('token expired, sign in again')",
    "logger.info('password of %s was changed', user.id)",
    "delete process.env.NPM_TOKEN",
    "unset AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN",
    # Placeholders.
    "ANTHROPIC_API_KEY=<your-key>",
    "OPENAI_API_KEY=your-key-here",
    "export OPENAI_API_KEY=...",
    "DB_PASSWORD=",
    "DB_PASSWORD=${DB_PASSWORD}",
    "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set it in .env}",
    "password: ****",
    "password: ********",
    'password: "<redacted>"',
    "'password': '[REDACTED]'",
    "token: ***",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "curl -H 'Authorization: Bearer ${TOKEN}' https://api.acme.test/v1/me",
    'curl -u "$USER:$PASSWORD" https://artifacts.acme.test/',
    "curl -u deploy https://artifacts.acme.test/  # asks for the password",
    "mysql -u root -p shop < dump.sql",
    "psql postgres://localhost:5432/shop",
    "DATABASE_URL=postgres://${DB_USER}:${DB_PASSWORD}@db:5432/shop",
    "mongodb://<user>:<password>@localhost:27017",
    "redis://localhost:6379/0",
    "amqp://rabbit.internal.acme.test:5672",
    "SLACK_WEBHOOK_URL=https://hooks.slack.com/services/XXX/YYY/ZZZ",
    "//npm.example.com/:_authToken=${NPM_TOKEN}",
    "password={{ vault_db_password }}",
    "secretKeyRef:\n  name: shop-db\n  key: password",
    'valueFrom: { secretKeyRef: { name: api, key: "token" } }',
    "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "with:\n  token: ${{ secrets.RELEASE_TOKEN }}",
    "docker login -u ci --password-stdin registry.acme.test",
    'echo "$DEPLOY_KEY" | ssh-add -',
    "api_key = 'YOUR_API_KEY'",
    'apiKey: "<API_KEY>"',
    "--password <password>",
    "--token TOKEN  the token of the account (default: $ACME_TOKEN)",
    "Cookie: <cookie of the session>",
    "sk-... is what a key of theirs starts with",
    "keys start with ghp_ and have forty characters",
    "the prefix AKIA tells an access key from a temporary one",
    "$env:OPENAI_API_KEY = Read-Host -AsSecureString",
    "password=%(password)s host=%(host)s",
    'String.format("password=%s", mask(password))',
    # Sentences about secrets that give none away.
    "The password must have at least twelve characters and one digit.",
    "I forgot the password of the staging database, where do we keep it?",
    "Passwords are hashed with argon2 and never logged.",
    "Please rotate the token before Friday.",
    "the token expired, so I signed in again and it works",
    "why is the password field empty after the form is submitted?",
    "Add a button that shows the password while it is held down.",
    "The secret is mounted as a file, not passed as a variable.",
    "Nobody should paste an API key into the chat.",
    "Ask Mira for the key to the server room.",
    "The key to good tests is a small fixture.",
    "the password is wrong, says the log, but I typed it twice",
    "The password is stored in the vault under shop/db.",
    "the password is required",
    "password is the only field that fails validation",
    "We count tokens with the tokenizer of the model, not by words.",
    "that prompt used 18432 input tokens and 911 output tokens",
    "The context holds 200000 tokens, and we are at 43 %.",
    "a token bucket of 60 requests a minute is enough",
    "Is the cookie banner needed for a session cookie?",
    "set the cookie to SameSite=Lax; HttpOnly; Secure",
    "Set-Cookie: theme=dark; Path=/; Max-Age=31536000",
    "our webhook answers with 410 since the endpoint was deleted",
    "use basic auth for the internal dashboard for now",
    "The Authorization header is missing in the preflight request.",
    "move the private methods below the public ones",
    "wrap what must stay private in a private tag and it is not kept",
    "Private repositories need a token with the repo scope.",
    "two-factor codes are six digits and live for thirty seconds",
    "the credentials file is read once at start",
    "login works with the test account, logout does not",
    "There is a typo in 'forgot pasword?' on the sign-in page.",
    "secret santa is on the 12th, who is in?",
    "How do I pass a password to pg_dump without a prompt?",
    "Does the key of the cache include the locale?",
    "the API key page moved to the settings of the organisation",
    "JWT or sessions, which one should I take for this app?",
    # The same in Chinese and Japanese.
    "密码至少要有十二位，并且包含数字。",
    "我忘记了数据库的密码，在哪里可以找到？",
    "密码错误三次之后锁定账号十分钟。",
    "密码框在提交之后为什么是空的？",
    "不要把密码写进仓库，用环境变量。",
    "密码是必填项",
    "密码是否需要加盐？",
    "密码：请向管理员索取",
    "密码: ******",
    "令牌过期了，重新登录就好了。",
    "这次请求用了 18432 个令牌",
    "密钥保存在保险库里，不在代码里。",
    "请把密钥轮换一下，周五之前完成。",
    "口令强度的提示文字太长了，缩短一点。",
    "登录接口返回 401，但是令牌没有过期，为什么？",
    "把修改密码的页面做成弹窗。",
    "私钥的权限应该是 600。",
    "验证码六位数字，三十秒有效。",
    "パスワードは十二文字以上にしてください。",
    "パスワードを忘れた場合の画面を直して。",
    "トークンの有効期限はどこで設定する？",
    "秘密鍵はリポジトリに入れないこと。",
    "パスワード：管理者に聞いてください",
    # Addresses and paths.
    "https://github.com/acme/shop/blob/main/src/auth/password.ts#L42-L57",
    "https://docs.acme.test/guides/api-keys/rotate?lang=en#before-you-start",
    "https://www.npmjs.com/package/jsonwebtoken/v/9.0.2",
    "https://en.wikipedia.org/wiki/Password_strength",
    "http://localhost:3000/reset-password?step=2",
    "https://accounts.acme.test/oauth/authorize?response_type=code&client_id=shop-web",
    "https://cdn.acme.test/fonts/inter-v13-latin-600.woff2",
    "https://example.com/watch?v=dQw4w9WgXcQ&t=43s",
    "git@github.com:acme/shop.git",
    "ssh://git@git.acme.test:2222/tools/secrets-scanner.git",
    "src/lib/auth/token-refresh.server.test.ts:118:7",
    "app/components/PasswordStrengthMeter/PasswordStrengthMeter.stories.tsx",
    "~/.config/acme/credentials.toml is not readable",
    "node_modules/.pnpm/@babel+core@7.26.0/node_modules/@babel/core/lib/index.js",
    "C:\\Users\\mira\\AppData\\Roaming\\npm\\node_modules\\token-types\\index.js",
    "/usr/share/dict/passwords-top-1000.txt",
    "packages/secrets/test/fixtures/no-secret-here.yaml",
    "site-packages/cryptography/hazmat/primitives/serialization/ssh.py, line 812",
    # Names of tests.
    "test_password_is_not_logged PASSED",
    "tests/test_auth.py::TestToken::test_expired_token_is_refused[bearer-401] PASSED",
    "✓ resets the password when the token is fresh (184 ms)",
    "--- FAIL: TestSecretsAreMaskedInLogs/authorization_header (0.02s)",
    "it('asks for the password again after thirty minutes', async () => {",
    "describe('API keys', () => {",
    "test auth::tests::wrong_password_takes_as_long_as_right_one ... ok",
    "FAILED tests/unit/test_api_key.py::test_key_has_prefix - AssertionError",
    # What is public although it is long.
    "ssh-ed25519 "
    + "AAAAC3NzaC1lZDI1NTE5AAAAIH7mB0cQ2vXk4nT9sWfLrYpZ3gJdEaUi6oNqRtVbKxMh mira@lab",
    "SHA256:p2Qm8rTzV1kXw0LsYdN7cJbHfGuEa5oI3tKqRxWvZ4M is the fingerprint of the host's key",
    "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2x0d3JhcHBlZA==\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7\n-----END PUBLIC KEY-----",
    "-----BEGIN PGP SIGNATURE----- follows the text of a signed tag",
    "gpg: Good signature from 'Release Bot', key 4AEE18F83AFDEB23",
    "tag: v2.31.0-rc.4+build.20260311.9f2c1e7",
    "Content-Security-Policy: script-src 'self' 'nonce-r4nd0m'",
    'ETag: W/"5e15153d-120f"',
    'If-None-Match: "33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "arn:aws:iam::000000000000:role/deploy-from-ci",
    "projects/acme-prod/secrets/db-password/versions/latest",
    "vault kv get -field=password shop/db",
    "op read 'op://team/shop db/password'",
    "gh secret list --repo acme/shop",
    "gh auth status says the token has the scopes repo and workflow",
    "kubectl get secret shop-db -o name",
    "aws sts get-caller-identity --profile staging",
    "openssl rand -base64 32",
    "ssh-keygen -t ed25519 -C deploy -f ./deploy_key",
    "npm whoami && npm token list",
    "Xvfb :99 -screen 0 1280x720x24 &",
    "0x7ffee3c0a1b8 is on the stack, 0x600003a5c1e0 is not",
    "segment 7f3c2a000000-7f3c2a021000 rw-p 00000000 00:00 0",
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
    "background: #1f2937; color: #e5e7eb; --shadow: 0 1px 2px 0 rgb(0 0 0 / 0.05)",
    "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d@$!%*?&]{12,}$ is the rule for passwords",
    "aria-describedby='password-hint' data-testid='password-input'",
    "M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z",
)


def _hexadecimal(chance: random.Random, length: int) -> str:
    return "".join(chance.choices(_HEX, k=length))


def _base64(chance: random.Random, size: int) -> str:
    return base64.b64encode(chance.randbytes(size)).decode()


def _letters(chance: random.Random, alphabet: str, length: int) -> str:
    return "".join(chance.choices(alphabet, k=length))


def _round(chance: random.Random, number: int) -> Iterator[str]:
    """One look-alike of every shape that programs write by themselves."""
    one, two, three = chance.sample(_WORDS, 3)
    commit = _hexadecimal(chance, 40)
    identity = uuid.UUID(int=chance.getrandbits(128), version=4)
    moment = f"2026-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}T08:{chance.randint(10, 59)}"
    version = f"{chance.randint(0, 9)}.{chance.randint(0, 30)}.{chance.randint(0, 20)}"
    letters = string.ascii_letters + string.digits
    digest = hashlib.sha256(commit.encode()).hexdigest()
    yield f"commit {commit}"
    yield f"[{one}-{two} {commit[:7]}] Let the {three} wait for the {one}"
    yield f"HEAD is now at {commit[:9]} Merge {_hexadecimal(chance, 40)} into main"
    yield f"index {commit[:10]}..{digest[:10]} 100644"
    yield f"session {identity} was resumed by the {one}"
    yield f'{{"uuid": "{identity}", "type": "assistant", "{two}": {number}}}'
    yield f"![{one}](data:image/png;base64,iVBORw0KGgo{_base64(chance, 96)})"
    yield f'"integrity": "sha512-{_base64(chance, 64)}"'
    yield f"FROM ghcr.io/acme/{one}:{version}@sha256:{digest}"
    yield f"{one}=={version} \\\n    --hash=sha256:{_hexadecimal(chance, 64)}"
    yield f"github.com/acme/{two} v{version} h1:{_base64(chance, 32)}"
    yield f"request id req_011C{_letters(chance, letters, 20)} took {number} ms"
    yield f'{{"type": "tool_use", "id": "toolu_01{_letters(chance, letters, 22)}"}}'
    yield f"pod/{one}-{_hexadecimal(chance, 10)}-{_letters(chance, string.ascii_lowercase, 5)} 1/1"
    yield f"dist/assets/{three}-{_letters(chance, letters, 8)}.js  {number + 12}.41 kB"
    yield f"{moment}:03.118Z INFO {one}.{two} used {chance.randint(900, 99_000)} tokens"
    yield f"src/{one}/{two}_{three}.py:{number}: error: Incompatible types in assignment"
    yield f"tests/test_{one}.py::test_{two}_token_survives_{three}[{identity.hex[:8]}] PASSED"
    yield f"https://acme.test/{one}/{two}?page={number}&v={commit[:12]}"
    yield f"const {one}Token: {two.title()}Token = create{three.title()}Token({one}, {number})"
    yield f"{one}_password: str = Field(default=..., description='password of the {two}')"
    yield f'ETag of the {three}: "{_hexadecimal(chance, 40)}"'
    yield f"chunk {number} of the {one}: {_hexadecimal(chance, 32)} (md5)"
    yield f"升级 {two} 到 {version} 之后，{three} 的第 {number} 个测试失败了"


def _generated(rounds: int) -> Iterator[str]:
    chance = random.Random(SEED)
    for number in range(1, rounds + 1):
        yield from _round(chance, number)


HARMLESS: tuple[str, ...] = (*_WRITTEN, *_generated(12))
