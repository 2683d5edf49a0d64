"""
Finds out whether a play might behave differently in check mode. See docs/decisions/0046.

A play can read its mode anywhere: in a condition, in a variable that a condition uses, in a
template, before "meta: end_play". So the whole text that it may be made of is searched. Ansible
cannot tell which of the places had an effect. A text that mentions neither name cannot depend on
them.

The callback loads this file. It has a folder of its own because Ansible takes each file in the
other folder for a callback.
"""

from __future__ import annotations

import os
import re
import time

# The second name counts too, because a preview turns on differences.
NAMES = ("ansible_check_mode", "ansible_diff_mode")
WORD = re.compile("|".join(NAMES).encode())

# A list that contains plays, recognized by its first line and a line with hosts.
PLAYS = re.compile(rb"\A(?:\s*(?:---.*|#.*)?\n)*- ")
HOSTS = re.compile(rb"^(?:- |  )hosts[ \t]*:", re.MULTILINE)
PROSE = (".md", ".rst", ".adoc")
VAULT = b"$ANSIBLE_VAULT"

PLACES_MAX = 20
PLACE_MAX = 250
FILES_MAX = 20000
BYTES_MAX = 256 * 1024 * 1024
SECONDS_MAX = 10


class TooMuch(Exception):
    """The text exceeds the limits of the search, so the rest is unknown."""


class Search:
    """Collects the files, roles and variables of a play as they become known."""

    def __init__(self, root, is_checking):
        self.is_checking = is_checking
        self.root = os.path.realpath(root)
        self.files = set()
        self.roles = set()
        self.managers = []
        self.loader = None

    def add_playbook(self, playbook):
        self.loader = playbook._loader
        self.add_file(playbook._file_name)

    def add_file(self, path):
        if path and self.is_checking:
            self.files.add(os.path.realpath(path))

    def add_play(self, play):
        if not self.is_checking:
            return
        # "path:line"
        self.add_file((play.get_path() or "").rpartition(":")[0])
        for role in play.get_roles():
            self.add_role(role)
        manager = play.get_variable_manager()
        if manager is not None and manager not in self.managers:
            self.managers.append(manager)

    def add_role(self, role):
        if not self.is_checking:
            return
        for its in [role, *role.get_all_dependencies()]:
            self.roles.add(os.path.realpath(its._role_path))

    def places(self, inventories):
        """
        Places that mention one of the names, each as "path:line", and "…" if the search was cut.
        """
        try:
            return self.find(inventories)
        except Exception:
            return ["…"]

    def find(self, inventories):
        found = []
        budget = {"files": FILES_MAX, "bytes": BYTES_MAX, "until": time.monotonic() + SECONDS_MAX}
        try:
            for name, value in self.variables():
                if is_mentioned(value, budget):
                    found.append(name)
            for path in sorted(self.sources(inventories)):
                place = self.place_in(path, budget)
                if place:
                    found.append(place)
        except TooMuch:
            found = found[: PLACES_MAX - 1] + ["…"]
        return [place[-PLACE_MAX:] for place in found[:PLACES_MAX]]

    def variables(self):
        for manager in self.managers:
            yield "extra vars", manager.extra_vars
            inventory = manager._inventory
            if inventory is not None:
                for its in [*inventory.groups.values(), *inventory.hosts.values()]:
                    yield "inventory: %s" % its.name, its.vars

    def sources(self, inventories):
        paths = set(self.files)
        for folder in [self.root, *self.roles]:
            paths.update(self.files_below(folder))
        for path in inventories:
            beside = os.path.dirname(os.path.realpath(path))
            for name in ("group_vars", "host_vars"):
                paths.update(self.files_below(os.path.join(beside, name)))
        return paths

    def files_below(self, root):
        for folder, names, files in os.walk(root):
            inside = os.path.basename(folder) == "roles"
            names[:] = [
                name
                for name in names
                if not name.startswith(".")
                # Other roles of the repository are not part of this play.
                and not (inside and os.path.realpath(os.path.join(folder, name)) not in self.roles)
            ]
            for name in files:
                if not name.endswith(PROSE) and not name.startswith("."):
                    yield os.path.realpath(os.path.join(folder, name))

    def place_in(self, path, budget):
        data = self.contents(path, budget)
        found = WORD.search(data)
        if not found:
            return None
        # Another playbook. One that imports playbooks is searched all the same.
        is_other = path not in self.files and PLAYS.search(data) and HOSTS.search(data)
        if is_other and b"import_playbook" not in data:
            return None
        line = data.count(b"\n", 0, found.start()) + 1
        shown = path[len(self.root) + 1 :] if path.startswith(self.root + os.sep) else path
        return "%s:%d" % (shown, line)

    def contents(self, path, budget):
        spend(budget, "files", 1)
        try:
            if not os.path.isfile(path):
                return b""
            spend(budget, "bytes", os.path.getsize(path))
            with open(path, "rb") as file:
                data = file.read()
            if data.startswith(VAULT) and self.loader is not None:
                return self.loader._get_file_contents(path)[0]
        except TooMuch:
            raise
        except Exception:
            # A file that cannot be read or decrypted cannot be part of a play that ran to its end.
            return b""
        return data


def spend(budget, what, much):
    budget[what] -= much
    if budget[what] < 0 or time.monotonic() > budget["until"]:
        raise TooMuch()


def is_mentioned(value, budget):
    if isinstance(value, dict):
        return any(is_mentioned(its, budget) for pair in value.items() for its in pair)
    if isinstance(value, (list, tuple)):
        return any(is_mentioned(its, budget) for its in value)
    if not isinstance(value, str):
        return False
    spend(budget, "bytes", len(value))
    return any(name in value for name in NAMES)
