"""Sixty questions whose answer stands in the collected transcripts, and twenty without one."""

from dataclasses import dataclass

Place = tuple[str, int, int]  # the file below the transcripts' folder, first and last line


@dataclass(frozen=True)
class Question:
    """What a developer asks weeks later, and the turns that answer it."""

    text: str
    places: tuple[Place, ...]


_STREAMING = "episodic-memory/large-conversation.jsonl"
_SCENARIOS = "episodic-memory/long-conversation.jsonl"
_BASELINES = "episodic-memory/short-conversation.jsonl"
_TENTATIVE = "episodic-memory/tiny-conversation.jsonl"
_EMPTY_DEMO = "claude-code-viewer/1af7fc5e-8455-4414-9ccd-011d40f70b2a.jsonl"
_TODO_APP = "claude-code-viewer/fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl"
_TODO_DOCS = "claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl"
_DECORATORS = "claude-code-log/representative_messages.jsonl"
_TASK_LIST = "claude-code-log/todowrite_examples.jsonl"
_DIVIDERS = "claude-code-log/session_b.jsonl"
_GREETINGS = "claude-code-transcripts/sample_session.jsonl"
_LOGIN = "agentsview/valid_session.jsonl"
_PARSER_REVIEW = "polylogue/claude-normalization-main.jsonl"

QUESTIONS: tuple[Question, ...] = (
    # A streaming service, its pull requests and what their reviewers said.
    Question("为什么带着生成的 Prisma 客户端就提交不上去？", ((_STREAMING, 3, 48),)),
    Question(
        "what was it that kept dirtying the generated database clients after every run",
        ((_STREAMING, 56, 95),),
    ),
    Question(
        "which lint rule did the auth module break on the build server",
        ((_STREAMING, 96, 115), (_STREAMING, 126, 133), (_STREAMING, 134, 135)),
    ),
    Question(
        "green on my laptop, red on GitHub: which commit had actually been checked out there?",
        ((_STREAMING, 126, 133), (_STREAMING, 134, 135)),
    ),
    Question(
        "合并请求变绿之前，问题其实出在哪个分支上？",
        ((_STREAMING, 126, 133), (_STREAMING, 134, 135)),
    ),
    Question(
        "which files clashed when the streaming branch was put on top of the newest main",
        ((_STREAMING, 136, 151), (_STREAMING, 152, 153), (_STREAMING, 154, 191)),
    ),
    Question(
        "Why did the type check stop my push after that rebase, something about the chart?",
        ((_STREAMING, 154, 191),),
    ),
    Question(
        "检查多余依赖的工具报错，最后从 package.json 里删了哪个包？", ((_STREAMING, 192, 228),)
    ),
    Question(
        "why can't we simply list the two generated Prisma modules as dependencies?",
        ((_STREAMING, 192, 228), (_STREAMING, 96, 115)),
    ),
    Question(
        "Chat streaming died once the planning endpoint handed over to the generic one. Why?",
        ((_STREAMING, 232, 276), (_STREAMING, 277, 303), (_STREAMING, 313, 318)),
    ),
    Question(
        "为什么聊天界面显示的是 object 而不是一个个词？",
        ((_STREAMING, 232, 276), (_STREAMING, 277, 303), (_STREAMING, 313, 318)),
    ),
    Question(
        "プランのルートでログイン確認を二回していた件はどう片付けた？",
        ((_STREAMING, 319, 336), (_STREAMING, 424, 460)),
    ),
    Question(
        "was the reviewer right that our messages are encoded twice?",
        ((_STREAMING, 319, 336), (_STREAMING, 337, 347)),
    ),
    Question(
        "which review suggestions on the streaming fix did we postpone",
        ((_STREAMING, 319, 336),),
    ),
    Question(
        "what does the remark above the send call point to, now that it misleads no reviewer",
        ((_STREAMING, 337, 347),),
    ),
    Question(
        "服务器事件在数据块中间被切断会解析坏，后来怎么改的？",
        ((_STREAMING, 348, 370), (_STREAMING, 371, 406)),
    ),
    Question(
        "how should the server clean up when the client goes away, without waiting on a promise",
        ((_STREAMING, 371, 406),),
    ),
    Question(
        "We thought the linter was wrong about an unused service. What was the truth?",
        ((_STREAMING, 407, 423),),
    ),
    Question(
        "what's the largest buffer we allow before a malformed stream is thrown away",
        ((_STREAMING, 424, 460),),
    ),
    # A tester that drives a browser by itself, from the idea to its container.
    Question("一开始打算分哪几个阶段来做自动化的场景测试？", ((_SCENARIOS, 2, 16),)),
    Question(
        "what did I think of hardcoded image comparison and of finding crashes",
        ((_SCENARIOS, 17, 21),),
    ),
    Question(
        "does a prepared script drive the browser, or the model itself?",
        ((_SCENARIOS, 22, 24),),
    ),
    Question(
        "Why did we make the one who judges the same as the one who acts?",
        ((_SCENARIOS, 25, 27), (_SCENARIOS, 22, 24)),
    ),
    Question("最小可行版本要先证明什么，不做什么？", ((_SCENARIOS, 28, 32),)),
    Question(
        "reasons for clicking at positions on a screenshot instead of addressing page elements",
        ((_SCENARIOS, 33, 39),),
    ),
    Question(
        "what's wrong with the off-the-shelf MCP servers that move the mouse, for us?",
        ((_SCENARIOS, 40, 74),),
    ),
    Question(
        "why not try the agent on my own desktop first?",
        ((_SCENARIOS, 75, 106),),
    ),
    Question(
        "Which agent framework won, and what spoke against the SDKs of the model vendors?",
        ((_SCENARIOS, 75, 106),),
    ),
    Question(
        "クリックや文字入力の層は、中身では何を使うことに決めた？",
        ((_SCENARIOS, 75, 106), (_SCENARIOS, 107, 150)),
    ),
    Question(
        "which port lets me watch the container's screen while debugging",  # in a written file
        ((_SCENARIOS, 107, 150),),
    ),
    Question("后来用什么代替了 Docker？", ((_SCENARIOS, 151, 238),)),
    Question(
        "how did we have to declare the agent's tools before TypeScript would build?",
        ((_SCENARIOS, 151, 238),),  # in an edited file
    ),
    Question(
        "switching the scenario tester from Claude to GPT: what do I have to change",
        ((_SCENARIOS, 239, 242), (_SCENARIOS, 243, 262)),
    ),
    Question(
        "do newer OpenAI models need a different URL when called through LangChain?",
        ((_SCENARIOS, 243, 262),),
    ),
    Question(
        "which browser image are we on for Apple's processors",
        ((_SCENARIOS, 263, 276), (_SCENARIOS, 277, 286), (_SCENARIOS, 287, 295)),
    ),
    Question(
        "コンテナの中で依存関係のインストールが落ちたのはなぜ？",
        ((_SCENARIOS, 277, 286), (_SCENARIOS, 287, 295)),
    ),
    Question(
        "what's plan B if the container still can't compile the project",
        ((_SCENARIOS, 287, 295),),
    ),
    # Trials of an agent without skills, in one long prompt.
    Question(
        "an upload feature saved to local disk and nobody had named a place: commit or ask first?",
        ((_BASELINES, 2, 3),),
    ),
    Question("为什么不该把几个互不相关的函数塞进一个工具类？", ((_BASELINES, 2, 3),)),
    Question(
        "did agents need to be taught to check what is missing before they start?",
        ((_BASELINES, 2, 3),),
    ),
    Question(
        "what do the confirmation numbers of the order exercise look like, and which tax rate?",
        ((_BASELINES, 2, 3),),
    ),
    # Instructions that made an assistant hesitate.
    Question(
        "what in my instructions made Claude ask for permission all the time",
        ((_TENTATIVE, 1, 2),),
    ),
    Question(
        "which section replaces the one about being proactive, and what does it say?",
        ((_TENTATIVE, 3, 7),),
    ),
    Question("哪些改动才算需要先讨论的架构决定？", ((_TENTATIVE, 3, 7),)),
    # A demo that starts as an empty folder.
    Question(
        "why did the first guide for the demo contain almost nothing",
        ((_EMPTY_DEMO, 1, 29),),
    ),
    Question(
        "Did writing the guide into the empty demo really work, or was it refused?",
        ((_EMPTY_DEMO, 1, 29),),
    ),
    Question(
        "where does the todo app keep its items between visits, and which hook holds the state?",
        ((_TODO_APP, 2, 433), (_TODO_APP, 434, 438)),
    ),
    Question(
        "待办应用当时的开发服务器在哪个端口？",
        ((_TODO_APP, 2, 433), (_TODO_APP, 434, 438), (_TODO_DOCS, 1, 53)),
    ),
    Question(
        "which icon set did we take for the todo list",
        ((_TODO_APP, 2, 433), (_TODO_APP, 434, 438), (_TODO_DOCS, 1, 53)),
    ),
    Question(
        "CLAUDE.md に書いてあったのに実在しなかったコマンドはどれ？",
        ((_TODO_DOCS, 1, 53),),
    ),
    Question(
        "the todo app's guide was out of date: which Next and React does it really run on?",
        ((_TODO_DOCS, 1, 53),),
    ),
    Question(
        "演示项目里哪些目录在两个地方重复了？",
        ((_TODO_DOCS, 1, 53),),
    ),
    # Short conversations.
    Question("装饰器是干什么用的，有没有最简单的例子？", ((_DECORATORS, 1, 2),)),
    Question(
        "how many nested functions does it take when a decorator has arguments of its own",
        ((_DECORATORS, 3, 6),),
    ),
    Question(
        "what are parameterised decorators good for in practice?",
        ((_DECORATORS, 7, 10),),
    ),
    Question(
        "which urgent item did I add to the feature's task list later on",
        ((_TASK_LIST, 8, 11),),
    ),
    Question(
        "with several session files on one page, where is a separator drawn?",
        ((_DIVIDERS, 1, 2), (_DIVIDERS, 3, 3)),
    ),
    Question(
        "in which file did the hello world function end up, and was it committed",
        ((_GREETINGS, 2, 6),),
    ),
    Question("where did we look for the bug that kept people from signing in?", ((_LOGIN, 1, 2),)),
    Question(
        "which tests were started while the parser was being reviewed",
        ((_PARSER_REVIEW, 1, 3), (_PARSER_REVIEW, 8, 12)),
    ),
)

UNANSWERED: tuple[str, ...] = (
    "which Kubernetes ingress controller did we settle on",
    "Kafka 主题的保留时间最后设成了多少？",
    "where do we keep the Terraform state",
    "why did the Android build break with the new Gradle plugin?",
    "which Stripe event tells us that an invoice has been paid",
    "用户换了时区之后日期差一天，是怎么修的？",
    "what did we set the autovacuum thresholds of the big table to",
    "Why couldn't CMake find the Qt libraries on the build machine?",
    "which CUDA version does the training image need?",
    "after the pandas merge every row came twice, what was the reason",
    "サーバー証明書の更新はどうやって自動にした？",
    "how did the Storybook upgrade go",
    "which feature flags are still on for the beta customers?",
    "what did we move the Jenkins jobs to",
    "RabbitMQ: what happens to messages that no consumer accepts?",
    "how many Celery workers run on the small machine",
    "Elasticsearch 的中文分词器选了哪一个？",
    "サムネイルの大きさはいくつに決まった？",
    "who may change the Grafana dashboards, and where are they stored?",
    "why was the Ansible playbook not idempotent on the second run",
)
