"""A project is a repository, wherever in it a session ran."""

from pathlib import Path

import pytest

from worker.ingest.transcripts.project import UNKNOWN, Projects, root_of


def repository(path: Path) -> Path:
    (path / ".git").mkdir(parents=True)
    return path


def worktree(main: Path, path: Path) -> Path:
    own = main / ".git" / "worktrees" / path.name
    own.mkdir(parents=True)
    path.mkdir(parents=True)
    (path / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")
    return path


def test_a_folder_inside_belongs_to_its_repository(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    (shop / "src" / "db").mkdir(parents=True)

    assert Projects({}).name_of(str(shop / "src" / "db")) == "shop"


def test_worktrees_belong_together(tmp_path: Path) -> None:
    web = repository(tmp_path / "a" / "web")
    tree = worktree(web, tmp_path / "trees" / "web-fix")

    assert root_of(str(tree)) == root_of(str(web))


def test_a_second_repository_of_the_same_name_is_another_project(tmp_path: Path) -> None:
    first, second = repository(tmp_path / "a" / "web"), repository(tmp_path / "b" / "web")
    projects = Projects({})

    names = [projects.name_of(str(path)) for path in (first, second, first)]

    assert names == ["web", "web (b)", "web"]
    assert Projects(projects.new).name_of(str(second)) == "web (b)"


def test_a_third_in_a_folder_of_the_same_name_is_told_apart_by_its_path() -> None:
    projects = Projects({})

    assert [projects.name_of(f"/{x}/a/web") for x in "123"] == ["web", "web (a)", "/3/a/web"]


@pytest.mark.parametrize(
    ("cwd", "name"),
    [
        ("/gone/shop", "shop"),
        ("/gone/shop/.worktrees/fix", "shop"),
        ("/gone/shop/.claude/worktrees/fix", "shop"),
        ("C:\\dev\\shop", "shop"),
        ("C:\\", UNKNOWN),
        ("/", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_a_folder_that_is_not_there_has_its_own_name(cwd: str, name: str) -> None:
    assert Projects({}).name_of(cwd) == name
