"""
Collects what a play reports with set_stats. See docs/decisions/0037.

Only results of set_stats count, which runs on this machine. Ansible itself takes statistics from
any module, so a host could report values by the names of others.
"""

from __future__ import annotations

import json

from ansible.executor.stats import AggregateStats

# The same limits as in run/outputs.ts, in characters.
VALUE_MAX = 32 * 1024
VALUES_MAX = 256 * 1024
# More names than a task may have, so that the task's output can say which ones are left out.
NAMES_MAX = 200
NAME_MAX = 300

# Ansible's own name for the values of all hosts.
ALL_HOSTS = "_run"


class Outputs:
    def __init__(self):
        self.stats = AggregateStats()
        self.hides = False

    def add(self, host, task, parts, hidden):
        """Adds a result of a host, in its parts if it is that of a loop."""
        if str(task.action).rpartition(".")[2] != "set_stats":
            return
        if hidden:
            # The values are secret, and are not here.
            self.hides = True
            return
        for part in parts:
            told = part.get("ansible_stats")
            if not isinstance(told, dict) or not isinstance(told.get("data"), dict):
                continue
            add = self.stats.update_custom_stats if told.get("aggregate") else self.stats.set_custom_stats
            for name, value in told["data"].items():
                add(str(name), copied(value), host if told.get("per_host") else None)

    def events(self):
        """Yields an event for each value. Those of single hosts are a map by host."""
        if self.hides:
            yield {"e": "output", "n": "", "x": "hidden"}
        values = {}
        for host in sorted(self.stats.custom, key=lambda host: (host == ALL_HOSTS, host)):
            for name, value in self.stats.custom[host].items():
                if host == ALL_HOSTS:
                    values[name] = value
                else:
                    values.setdefault(name, {})[host] = value
        left = VALUES_MAX
        for name in list(values)[:NAMES_MAX]:
            # In a list if it was cut, because it may then end in the middle of a secret.
            event = {"e": "output", "n": name if len(name) <= NAME_MAX else [name[:NAME_MAX]]}
            text = text_of(values[name])
            if len(text) > VALUE_MAX:
                yield {**event, "x": "long"}
            elif len(text) > left:
                yield {**event, "x": "total"}
            else:
                left -= len(text)
                yield {**event, "v": text}


def copied(value):
    """A copy made of plain values, because Ansible adds to its own lists."""
    if isinstance(value, dict):
        return {str(name): copied(part) for name, part in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [copied(part) for part in value]
    return str(value) if isinstance(value, str) else value


def text_of(value):
    """A text as it is, and anything else as JSON, which is cut off soon after it is too long."""
    if isinstance(value, str):
        return value
    parts, length = [], 0
    encoder = json.JSONEncoder(default=str, ensure_ascii=False, separators=(",", ":"))
    for part in encoder.iterencode(value):
        parts.append(part)
        length += len(part)
        if length > VALUE_MAX:
            break
    return "".join(parts)
