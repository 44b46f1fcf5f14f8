"""Where Claude Desktop has its config, on each system and build."""

from pathlib import Path

import pytest

from worker.shared.clients.desktop import config_path, config_paths
from worker.shared.clients.entry import System
from worker.shared.clients.files import ConfigError


# ---------------------------------------------------------------------- where it is
def test_each_system_has_its_place(tmp_path: Path) -> None:
    name = "claude_desktop_config.json"
    assert config_paths(System("linux", {}, tmp_path)) == [tmp_path / ".config" / "Claude" / name]
    elsewhere = System("linux", {"XDG_CONFIG_HOME": str(tmp_path / "x")}, tmp_path)
    assert config_paths(elsewhere) == [tmp_path / "x" / "Claude" / name]
    odd = System("linux", {"XDG_CONFIG_HOME": "not/absolute"}, tmp_path)
    assert config_paths(odd) == [tmp_path / ".config" / "Claude" / name]
    assert config_paths(System("darwin", {}, tmp_path)) == [
        tmp_path / "Library" / "Application Support" / "Claude" / name
    ]


def windows(tmp_path: Path, *builds: str, configs: tuple[str, ...] = ()) -> System:
    local = tmp_path / "Local"
    for build in builds:
        folder = local / "Packages" / build / "LocalCache" / "Roaming" / "Claude"
        folder.mkdir(parents=True)
        if build in configs:
            (folder / "claude_desktop_config.json").write_text("{}", encoding="utf-8")
    environ = {"APPDATA": str(tmp_path / "Roaming"), "LocalAppData": str(local)}
    return System("win32", environ, tmp_path)


def test_on_windows_a_store_build_reads_its_own_folder(tmp_path: Path) -> None:
    plain = windows(tmp_path)
    assert config_path(plain).parent == tmp_path / "Roaming" / "Claude"

    store = windows(tmp_path, "Claude_pzs8sxrjxfjjc")
    (tmp_path / "Roaming" / "Claude").mkdir(parents=True)
    assert "Claude_pzs8sxrjxfjjc" in str(config_path(store))


def test_a_folder_that_a_store_build_left_behind_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "Local" / "Packages" / "Claude_old" / "LocalCache").mkdir(parents=True)

    assert config_path(windows(tmp_path)).parent == tmp_path / "Roaming" / "Claude"


def test_of_two_store_builds_the_one_in_use_counts_or_the_user_says_which(tmp_path: Path) -> None:
    assert "Claude_b" in str(
        config_path(windows(tmp_path / "1", "Claude_a", "Claude_b", configs=("Claude_b",)))
    )
    with pytest.raises(ConfigError, match=r"(?s)--config.*Claude_a.*Claude_b"):
        config_path(windows(tmp_path / "2", "Claude_a", "Claude_b"))
