"""A stand-in for the entry of the system that starts the app at login."""

from dataclasses import dataclass


@dataclass
class Entry:
    """The system's entry, which others can change too."""

    on: bool = False
    refuses: bool = False

    def is_on(self) -> bool:
        return self.on

    def turn_on(self) -> None:
        if self.refuses:
            raise PermissionError("autostart is not yours")
        self.on = True

    def turn_off(self) -> None:
        self.on = False
