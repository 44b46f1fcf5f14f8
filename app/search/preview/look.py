"""How the lines of a memory are set, in the colours of a theme."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QTextBlockFormat, QTextCharFormat

from app.search.preview.markdown import Style
from app.search.preview.reading import Line, Shape, Span
from app.theme import Colours

_SIZES = {Shape.TITLE: 2, Shape.SUBTITLE: 1, Shape.HEADING: 1, Shape.LABEL: 0}
_STRONG = (Shape.TITLE, Shape.HEADING, Shape.LABEL)
_GAP, _LINE, _INDENT = 10, 3, 18  # pixels


def block_format(line: Line, colours: Colours) -> QTextBlockFormat:
    """Return margins, indentation and background of a line."""
    block = QTextBlockFormat()
    block.setTopMargin(_GAP if line.begins else _LINE if line.shape is Shape.ITEM else 0)
    if line.shape not in (Shape.CODE, Shape.CODE_HEAD):  # whose background has no gaps
        block.setLineHeight(118, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    if line.shape is Shape.LABEL:
        block.setTopMargin(_GAP * 1.6)
    if line.shape is Shape.ITEM:
        block.setLeftMargin(_INDENT * (line.depth + 1))
        block.setTextIndent(-_INDENT * 0.75 if line.bullet else 0)
    if line.shape in (Shape.CODE, Shape.CODE_HEAD):
        block.setBackground(QColor(colours.window))
        block.setLeftMargin(_INDENT * 0.5)
    if line.shape is Shape.CODE_HEAD:
        block.setAlignment(Qt.AlignmentFlag.AlignRight)
    return block


def char_format(shape: Shape, span: Span, colours: Colours) -> QTextCharFormat:
    """Return font and colours of a span; a hit is bold as well as coloured."""
    chars = QTextCharFormat()
    chars.setForeground(QColor(colours.text))
    chars.setProperty(QTextCharFormat.Property.FontSizeAdjustment, _SIZES.get(shape, 0))
    if shape in (Shape.LABEL, Shape.SUBTITLE):
        chars.setForeground(QColor(colours.muted))
    if shape in _STRONG or span.style is Style.STRONG:
        chars.setFontWeight(QFont.Weight.Bold)
    if span.style is Style.CODE:
        chars.setFontFamilies(
            QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families()
        )
        chars.setBackground(QColor(colours.window))
    if span.link:
        chars.setForeground(QColor(colours.accent))
    if span.hit is not None:
        chars.setFontWeight(QFont.Weight.Bold)
        chars.setBackground(QColor(colours.mark))
        chars.setForeground(QColor(colours.on_mark))
    return chars
