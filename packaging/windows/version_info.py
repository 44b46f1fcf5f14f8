"""What Windows shows of our programs under Properties, Details, as PyInstaller reads it."""

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


def version_info(name: str, version: str) -> str:
    """Return the version resource of a program, as the text of PyInstaller's `version` file."""
    parts = [int(part) for part in version.split(".")[:4]]
    return _TEMPLATE.format(
        numbers=tuple(parts + [0] * (4 - len(parts))),
        description=DESCRIPTIONS[name],
        version=version,
        name=name,
        file=f"{name}.exe",
    )
