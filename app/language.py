"""Which language the app speaks, and its translations."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

FOLDER = Path(__file__).with_name("translations")
_SIMPLIFIED = ("zh_CN", "zh_SG", "zh_Hans", "zh")


def language_of(choice: str, system: str) -> str:
    """Return the language for a setting and the name of the system's language: en or zh_CN."""
    wanted = system.replace("-", "_") if choice == "auto" else choice
    simplified = wanted in _SIMPLIFIED or wanted.startswith("zh_Hans")
    return "zh_CN" if simplified else "en"


def speak(application: QCoreApplication, choice: str) -> None:
    """Have Qt and us speak the language of a setting; what is not translated stays English."""
    system = QLocale.system()
    # the name of the locale is that of dates and numbers: Windows may show another language
    language = language_of(choice, next(iter(system.uiLanguages()), system.name()))
    QLocale.setDefault(_locale(language, system))
    folders = {
        "qtbase": QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath),
        "memtray": str(FOLDER),  # English, too: its plurals
    }
    for name, folder in folders.items():
        translator = QTranslator(application)
        if translator.load(f"{name}_{language}", folder):
            application.installTranslator(translator)


def _locale(language: str, system: QLocale) -> QLocale:
    """Return how dates and numbers are written: in our words, by the customs of the region."""
    if language != "en":
        return QLocale(language)
    english = QLocale.Language.English
    known = system.language() in (english, QLocale.Language.C)
    return system if known else QLocale(english, system.territory())
