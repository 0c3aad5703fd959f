"""Two ways to do the same in the studio: by the mouse, and by keys alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from .conftest import Studio

_MOST_TABS = 200  # presses of Tab that lead to any part of the page
_AT_A_TIME = 5
#: The keys that lead to an element, the shorter way; none where it has the focus. As long as it has it, Tab does nothing: so no
#: press is one too many.
_WAY = """(element) => {
  const stay = (event) => { if (event.key === "Tab") event.preventDefault(); };
  if (!window.staying) {
    const watch = () => { if (document.activeElement === element) addEventListener("keydown", stay, true); };
    window.staying = () => {
      removeEventListener("focusin", watch);
      removeEventListener("keydown", stay, true);
      window.staying = null;
    };
    addEventListener("focusin", watch);
    watch();
  }
  if (document.activeElement === element) {
    window.staying();
    return "";
  }
  const before = element.compareDocumentPosition(document.activeElement) & Node.DOCUMENT_POSITION_FOLLOWING;
  return before ? "Shift+Tab" : "Tab";
}"""
_CURSOR = "async () => (await import('/state.js')).cursor.value"


class Hands(ABC):
    """What a person does, whichever way."""

    def __init__(self, studio: Studio) -> None:
        self.studio, self.page = studio, studio.page

    @abstractmethod
    def press(self, button: Any) -> None:
        """Press a button, a link or a box."""

    @abstractmethod
    def write(self, field: Any, text: str) -> None:
        """Write into a field, instead of what stands there."""

    @abstractmethod
    def choose(self, field: Any, option: str) -> None:
        """Choose one of the options of a field, by its words."""

    @abstractmethod
    def tab(self, name: str) -> None:
        """Go to a panel."""

    @abstractmethod
    def touch(self, row: int, column: int) -> None:
        """Do to a cell of the board what the tool does."""

    def button(self, name: str) -> None:
        self.press(self.page.get_by_role("button", name=name, exact=True))

    def begin(self, board: str, pieces: str) -> None:
        """Begin with a new board."""
        self.button("New …")
        self.button("A new board")
        self.write(self.page.get_by_label("Size or name of the board"), board)
        self.write(self.page.get_by_label("Pieces, by name"), pieces)
        self.button("Begin")
        self.page.locator("dialog.start[open]").wait_for(state="detached")

    def ask(self, question: str) -> None:
        """Ask a question, with what stands in its form."""
        self.choose(self.page.locator(".ask select").first, question)
        self.button("Ask")


class Mouse(Hands):
    """By clicks, and by typing where a text is asked for."""

    def press(self, button: Any) -> None:
        button.click()

    def write(self, field: Any, text: str) -> None:
        self.studio.settle()
        field.click(click_count=3)
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)

    def choose(self, field: Any, option: str) -> None:
        field.select_option(label=option)

    def tab(self, name: str) -> None:
        self.studio.tab(name)

    def touch(self, row: int, column: int) -> None:
        self.page.mouse.click(*self.studio.cell(column, row))


class Keys(Hands):
    """By keys alone: Tab leads from one thing to the next, with Shift to the one before."""

    def reach(self, target: Any) -> None:
        """Press Tab until the target has the focus."""
        target.wait_for()
        for _ in range(0, _MOST_TABS, _AT_A_TIME):
            if not (way := target.evaluate(_WAY)):
                return
            for _ in range(_AT_A_TIME):
                self.page.keyboard.press(way)
        raise AssertionError(f"Tab does not lead to {target}")

    def press(self, button: Any) -> None:
        self.reach(button)
        self.page.keyboard.press("Space")

    def write(self, field: Any, text: str) -> None:
        self.studio.settle()
        self.reach(field)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Tab")

    def choose(self, field: Any, option: str) -> None:
        self.reach(field)
        self.page.keyboard.type(option)
        assert field.evaluate("(one) => one.selectedOptions[0].textContent") == option

    def tab(self, name: str) -> None:
        self.reach(self.page.locator("[role=tab][aria-selected=true]"))
        while self.page.evaluate("document.activeElement.textContent") != name:
            self.page.keyboard.press("ArrowRight")

    def touch(self, row: int, column: int) -> None:
        self.reach(self.page.locator(".board"))
        at = self.page.evaluate(_CURSOR)
        for axis, (wanted, less, more) in enumerate(((row, "ArrowUp", "ArrowDown"), (column, "ArrowLeft", "ArrowRight"))):
            for _ in range(abs(wanted - at[axis])):
                self.page.keyboard.press(more if wanted > at[axis] else less)
        self.page.keyboard.press("Enter")
