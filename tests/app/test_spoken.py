"""What the worker says, in the language of the app."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.language import FOLDER, speak
from app.spoken import reply_told, said, told
from worker.shared.errors import WorkerUnavailableError

CHINESE = FOLDER / "memtray_zh_CN.qm"

pytestmark = pytest.mark.skipif(not CHINESE.exists(), reason="make translations compiles it")


@pytest.fixture
def _chinese(qapp: QCoreApplication) -> Iterator[None]:
    """The app speaks Chinese, until the end of a test."""
    before = QLocale()
    speak(qapp, "zh_CN")
    yield
    QLocale.setDefault(before)
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)


def test_english_stays_as_the_worker_has_it(qapp: QCoreApplication) -> None:
    assert said("The language model is being loaded.") == "The language model is being loaded."


@pytest.mark.usefixtures("_chinese")
@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("The language model is being loaded.", "正在载入语言模型。"),
        ("Only 12 MB are free on the disk of /a b.", "/a b 所在磁盘只剩 12 MB。"),
        ("[Errno 13] Permission denied: '/x'; check who owns it", "'/x'：权限不足；请检查其所有者"),
        (
            "A known memory is found by word in 14 ms, by meaning in 8 ms.",
            "已知的记忆可以找到：按关键词 14 毫秒、按语义 8 毫秒。",
        ),
        ("It is tried again. See the log.", "正在重试。请查看日志。"),
        ("It is starting. Nobody has translated this.", "正在启动。Nobody has translated this."),
        ("The keyword index is being built.", "正在建立关键词索引。"),
        ("Vectors are being made: 4 of 9 memories.", "正在生成向量：4 / 9 条记忆。"),
        (
            "There is no project shop. Alike: teashop, shop-api.",
            "没有项目 shop。相近的有：teashop, shop-api。",
        ),
        ("no JSON object", "不是 JSON 对象"),
        ("no JSON: cut off or garbled", "不是 JSON：被截断或已损坏"),
        (
            "element 2: not readable from here on: the file was cut off",
            "第 2 个元素：从这里起无法读取：文件被截断",
        ),
        (
            "projects.json, element 3: nothing that an export of claude.ai holds",
            "projects.json，第 3 个元素：不是 claude.ai 导出文件中的内容",
        ),
        ("Nobody has translated this.", "Nobody has translated this."),
        ("C:\\x: a colon alone is no reason", "C:\\x: a colon alone is no reason"),
        ("", ""),
    ],
)
def test_what_is_known_is_said_in_chinese_with_its_paths_and_numbers(
    english: str, chinese: str
) -> None:
    assert said(english) == chinese


@pytest.mark.usefixtures("_chinese")
def test_what_was_said_in_chinese_already_stays() -> None:
    once = said("A known memory is not found by word.")
    assert said(once) == once == "已知的记忆无法找到：按关键词。"


@pytest.mark.usefixtures("_chinese")
def test_an_error_tells_its_title_and_text_in_chinese() -> None:
    error = told(WorkerUnavailableError("the address cannot be read"))
    assert error.title == "Memtray 后台服务没有响应"
    assert str(error) == error.detail == "无法解析地址"


@pytest.mark.usefixtures("_chinese")
def test_a_reply_tells_causes_and_notes_but_leaves_memories_alone() -> None:
    answer = {"parts": [{"cause": "It is starting."}], "notes": ["No ids were given."]}
    memory = {"title": "It is starting.", "notes": "It is starting."}
    assert reply_told(answer) == {"parts": [{"cause": "正在启动。"}], "notes": ["没有给出编号。"]}
    assert reply_told(memory) == memory


@pytest.mark.usefixtures("_chinese")
def test_buttons_dates_and_counts_are_chinese(qtbot: QtBot) -> None:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert "取消" in box.button(QDialogButtonBox.StandardButton.Cancel).text()
    assert QLocale().monthName(3) == "三月"
    assert QCoreApplication.translate("Supervisor", "%Ln memories", "", 12345) == "12,345 条记忆"


def test_english_counts_one_as_one(qapp: QCoreApplication) -> None:
    before = QLocale()
    speak(qapp, "en")
    one = QCoreApplication.translate("ClearRecallsRow", "%n calls were forgotten.", "", 1)
    QLocale.setDefault(before)
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)
    assert one == "1 call was forgotten."
