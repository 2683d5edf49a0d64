"""Chooses collections from a folder of archives as ansible-galaxy does from a server.

  choose_collections.py FOLDER REQUIREMENTS

Prints the requirements of the archives: those of the collections in the JSON file REQUIREMENTS, and
of the collections that they need. Prints an error that names what is missing, and exits with 1.
"""

import json
import pathlib
import re
import sys
import tarfile

from ansible.galaxy.dependency_resolution.versioning import is_pre_release, meets_requirements
from ansible.utils.version import SemanticVersion

ARCHIVE = re.compile(r"(\w+)-(\w+)-(\d+\.\d+\.\d+[\w.+-]*)\.tar\.gz")


def archives_in(folder):
    """Returns the archives by collection, each with its version, the newest first."""
    found = {}
    for path in pathlib.Path(folder).iterdir():
        parts = ARCHIVE.fullmatch(path.name)
        if parts:
            found.setdefault(f"{parts[1]}.{parts[2]}", []).append((parts[3], path))
    for versions in found.values():
        versions.sort(key=lambda version: SemanticVersion(version[0]), reverse=True)
    return found


def dependencies(path):
    with tarfile.open(path) as archive:
        manifest = json.load(archive.extractfile("MANIFEST.json"))
    return (manifest["collection_info"].get("dependencies") or {}).items()


def fits(version, wanted):
    if is_pre_release(version) and version != wanted.lstrip("= "):
        return False
    return meets_requirements(version, wanted)


class Choice:
    def __init__(self, archives):
        self.archives = archives
        self.problem = None

    def complete(self, needs, chosen):
        """Returns `chosen` with archives for all `needs`, or None if there are none."""
        if not needs:
            return chosen
        (name, wanted, reason), *rest = needs
        if name in chosen:
            candidates = [chosen[name]]
        else:
            candidates = self.archives.get(name, [])
        for version, path in candidates:
            if not fits(version, wanted):
                continue
            more = [] if name in chosen else [
                (other, range_, f" for {name} {version}") for other, range_ in dependencies(path)
            ]
            found = self.complete(rest + more, {**chosen, name: (version, path)})
            if found is not None:
                return found
        self.problem = self.problem or f"{name}:{wanted}{reason}"
        return None


def main(folder, requirements):
    with open(requirements, encoding="utf-8") as file:
        wanted = json.load(file)["collections"]
    choice = Choice(archives_in(folder))
    chosen = choice.complete([(need["name"], need["version"], "") for need in wanted], {})
    if chosen is None:
        sys.exit(f"ERROR: {folder} has no suitable archive of {choice.problem}")
    paths = [{"name": str(path), "type": "file"} for _, path in chosen.values()]
    json.dump({"collections": paths}, sys.stdout)


main(*sys.argv[1:])
