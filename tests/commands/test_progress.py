"""How far a command is, is told to people and to nobody else."""

import io

from worker.commands.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_to_a_person_who_waits() -> None:
    shown, silent = Terminal(), io.StringIO()
    for stream in (shown, silent):
        with Progress("imported", 20_000, stream=stream, patience=0) as progress:
            progress.show(1_500)

    assert "1,500 of 20,000 imported" in shown.getvalue()
    assert silent.getvalue() == ""


def test_nothing_is_shown_before_it_takes_long() -> None:
    terminal = Terminal()

    with Progress("exported", stream=terminal) as progress:
        progress.show(1)

    assert terminal.getvalue() == ""
