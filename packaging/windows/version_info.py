"""What Windows shows of our programs under Properties, Details, as PyInstaller reads it."""

import re

DESCRIPTIONS = {
    "memtray": "Memtray",
    "memtray-worker": "Memtray worker",
    "memtray-mcp": "Memtray MCP server",
}

_TEMPLATE = """\
VSVersionInfo(
  ffi=FixedFileInfo(
    filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004,
    fileType=0x1, subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable("040904B0", [
      StringStruct("CompanyName", "Memtray"),
      StringStruct("FileDescription", {description!r}),
      StringStruct("FileVersion", {version!r}),
      StringStruct("InternalName", {name!r}),
      StringStruct("LegalCopyright", "MIT License"),
      StringStruct("OriginalFilename", {file!r}),
      StringStruct("ProductName", "Memtray"),
      StringStruct("ProductVersion", {version!r})])]),
    VarFileInfo([VarStruct("Translation", [0x0409, 1200])])])
"""


def numbers_of(version: str) -> tuple[int, int, int, int]:
    """Return the four numbers that Windows wants; what follows them, as in 1.0.0rc1, is not one."""
    found = re.match(r"\d+(?:\.\d+){0,3}", version)
    if not found:
        raise ValueError(f"{version!r} does not begin with a number")
    first, second, third, fourth, *_ = [*(int(part) for part in found[0].split(".")), 0, 0, 0]
    return first, second, third, fourth


def version_info(name: str, version: str) -> str:
    """Return the version resource of a program, as the text of PyInstaller's `version` file."""
    return _TEMPLATE.format(
        numbers=numbers_of(version),
        description=DESCRIPTIONS[name],
        version=version,
        name=name,
        file=f"{name}.exe",
    )
