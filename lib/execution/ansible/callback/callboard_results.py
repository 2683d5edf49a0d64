"""
Reports to Callboard what happens on every host. The output is not affected: the user's stdout
callback still makes it. See docs/decisions/0037.

CALLBOARD_RESULTS holds the path of a socket, or the number of a descriptor that is a socket. The
first line that comes from there is a mark. Events go back as lines of JSON. A mark on standard
output follows the text that was printed for an event. An event names its mark by number, and the
server removes the marks from the output.

Modules on this machine must not reach the socket: see docs/decisions/0037.

The play neither waits for the reader nor fails because of it. Events that do not fit are counted as
lost. It works with ansible-core 2.14 and later, and needs only the standard library.
"""

from __future__ import annotations

DOCUMENTATION = """
    name: callboard_results
    type: notification
    short_description: tells Callboard what happens on every host
    description:
        - Reports plays, tasks and results to the server that has started the play.
        - Does nothing anywhere else.
"""

import atexit
import collections
import ctypes
import difflib
import functools
import importlib.util
import json
import math
import os
import select
import socket
import sys
import time

from ansible import constants, context
from ansible.playbook.task_include import TaskInclude
from ansible.plugins.callback import CallbackBase

VARIABLE = "CALLBOARD_RESULTS"
# Set if full results and the facts of hosts are to be reported.
FULL_VARIABLE = "CALLBOARD_FULL_RESULTS"

# The same length as in log/marks.ts.
MARK_LENGTH = 16
# Long enough for a server under load.
MARK_SECONDS = 30
# Bytes that wait for the reader, in the socket and in this process.
SOCKET_BYTES = 1024 * 1024
WAITING_BYTES_MAX = 8 * 1024 * 1024
# Longest time that the end of the play waits for a slow reader.
LAST_FLUSH_SECONDS = 2

# The same limits as in wire.ts.
NAME_MAX = 300
SHORT_MAX = 100
PATH_MAX = 250
HOST_MAX = 500
LABEL_MAX = 200
MESSAGE_MAX = 4000
ITEM_MESSAGE_MAX = 500
ITEMS_MAX = 50
# Characters of each side of a difference, and of the text made of both.
DIFF_SIDE_MAX = 32 * 1024
DIFF_MAX = 32 * 1024
DIFFS_MAX = 20
# Hosts in one event.
HOSTS_AT_ONCE = 100

# Characters of JSON of a full result, and of a host's facts.
FULL_MAX = 16 * 1024
FACTS_MAX = 48 * 1024
# Full results are no longer reported while more bytes than this wait for the reader.
FULL_WAITING_BYTES_MAX = 2 * 1024 * 1024
# Limits for the longest text and the longest list, tried in this order until all fits. Long texts
# are cut first.
FULL_STEPS = ((12000, 1000), (4000, 200), (1500, 100), (500, 50), (200, 20), (80, 5))
MEMBERS_MAX = 1000
DEPTH_MAX = 12
# Longer numbers are texts.
NUMBER_BITS_MAX = 1024
# Key of a part that was cut. Its value holds the part's beginning and its full length.
CUT = "_callboard_cut"

FREE = ("free", "host_pinned")


def load_part(name):
    """Loads a file from the folder beside this one: Ansible takes all files here for callbacks."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(folder, "callback_parts", name + ".py")
    spec = importlib.util.spec_from_file_location("callboard_" + name, path)
    part = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(part)
    return part


check_mode = load_part("check_mode")
outputs = load_part("outputs")


def channel_of(address):
    if not address.isdigit():
        channel = socket.socket(socket.AF_UNIX)
        channel.connect(address)
        return channel
    # Processes that the play starts must not hold it open.
    os.set_inheritable(int(address), False)
    return socket.socket(fileno=int(address))


def never_fails(method):
    """Counts exceptions as lost events: Ansible would print them, and might end the play."""

    @functools.wraps(method)
    def guarded(self, *args, **kwargs):
        if self.socket is None or self.pid != os.getpid():
            return
        try:
            method(self, *args, **kwargs)
        except Exception:
            self.lost += 1

    return guarded


def cut(value, limit):
    """A text. In a list if it was cut, because it may then end in the middle of a secret."""
    text = value if isinstance(value, str) else as_json(value, limit)
    return str(text) if len(text) <= limit else [str(text[:limit])]


def as_json(value, limit):
    """JSON of any value, cut off soon after `limit`: a module may return many megabytes."""
    parts, length = [], 0
    for part in json.JSONEncoder(default=str, ensure_ascii=False).iterencode(value):
        parts.append(part[: limit + 1])
        length += len(part)
        if length > limit:
            break
    return "".join(parts)


def is_hidden(result, values):
    """Whether no_log is set, for the whole result or a part of it, or cannot be determined."""
    if task_of(result).no_log or "censored" in values:
        return True
    if values.get("_ansible_no_log"):
        return True
    return any("censored" in item or item.get("_ansible_no_log") for item in items_of(values))


def items_of(values):
    results = values.get("results")
    return [item for item in results if isinstance(item, dict)] if isinstance(results, list) else []


def task_of(result):
    """The Ansible task with its fields as the strategy has set them for this host."""
    return getattr(result, "task", None) or result._task


def host_of(result):
    return (getattr(result, "host", None) or result._host).get_name()


def values_of(result):
    values = getattr(result, "result", None)
    return result._result if values is None else values


def delegate_of(task, values):
    """The host that an Ansible task was delegated to. In a loop, each item may have another."""
    told = (values.get("_ansible_delegated_vars") or {}).get("ansible_delegated_host")
    named = told or task.delegate_to
    return str(named) if isinstance(named, str) and "{{" not in named else None


def message_of(values, failed):
    """The message of a module. For a command that failed, also what it printed as an error."""
    message = values.get("msg") or values.get("reason") or values.get("skip_reason")
    if not failed:
        return message
    printed = values.get("stderr") or values.get("module_stderr")
    if not printed:
        return message
    return "%s\n%s" % (message, printed) if isinstance(message, str) else printed


def is_unchecked(result, values, items, state):
    """Whether check mode skipped it or a part of it, so that its effect is not known."""
    task = task_of(result)
    if not task.check_mode:
        return False
    if items:
        return any(left_out(item, task) for item in items if item.get("skipped"))
    return state == "skipped" and left_out(values, task)


def is_carried_out(result, state):
    """Whether a run in check mode carried it out all the same, because its check_mode is false."""
    held = ("skipped", "unreachable", "included")
    return is_checking() and state not in held and not task_of(result).check_mode


def is_checking():
    return bool(context.CLIARGS.get("check"))


def left_out(item, task):
    # Without items, or because of a condition, it is also skipped without check mode.
    if "skipped_reason" in item:
        return False
    if "skip_reason" not in item:
        return True
    # Ansible before 2.15 does not report which of the conditions was false.
    condition = str(item.get("false_condition", task.when))
    return any(name in condition for name in check_mode.NAMES)


def state_of(item):
    if item.get("failed") or item.get("unreachable"):
        return "failed"
    if item.get("skipped"):
        return "skipped"
    return "changed" if item.get("changed") else "ok"


def is_rescued(task):
    """Whether a block around it has a rescue and was not in it yet, as the strategy decides it."""
    inside, block = {task._uuid}, task._parent
    while block is not None:
        if getattr(block, "rescue", None) and any(part._uuid in inside for part in block.block):
            return True
        inside.add(block._uuid)
        block = block._parent
    return False


PR_SET_DUMPABLE = 4


def hide_process(hidden):
    """
    Hides the memory and the descriptors of this process from other processes of its account, or
    shows them again. Processes that it starts are not hidden. A process with CAP_SYS_PTRACE, which
    root has, can still look in.
    """
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0 if hidden else 1, 0, 0, 0)


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "callboard_results"
    CALLBACK_NEEDS_ENABLED = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.pid = os.getpid()
        self.socket = None
        self.mark = ""
        self.marks = 0
        self.lost = 0
        # Whether a play has ended before its last task, also for hosts that had not failed.
        self.ended_early = False
        self.waiting = collections.deque()
        self.waiting_bytes = 0
        # Computed once, because the clock may be set during the play.
        self.epoch = time.time() - time.monotonic()
        self.begun = {}
        self.diffs = {}
        # For each item of a loop: its state, whether it was skipped unchecked, and whether it was
        # carried out in spite of check mode.
        self.items = {}
        self.delegates = {}
        self.announced = set()
        self.early = set()
        self.root = os.getcwd() + os.sep
        self.tells_full = os.environ.pop(FULL_VARIABLE, "") == "1"
        self.search = check_mode.Search(os.getcwd(), is_checking())
        self.outputs = outputs.Outputs()
        told = os.environ.pop(VARIABLE, None)
        if told is None:
            self.disabled = True
            return
        try:
            self.open(told)
        except Exception:
            self.disabled = True

    def open(self, address):
        channel = channel_of(address)
        hide_process(True)
        channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BYTES)
        channel.settimeout(MARK_SECONDS)
        line = channel.recv(MARK_LENGTH + 1, socket.MSG_WAITALL).decode("ascii")
        if not line.endswith("\n"):
            raise ValueError("no mark")
        channel.setblocking(False)
        self.mark = line[:-1]
        self.socket = channel
        os.register_at_fork(after_in_child=self.leave)
        atexit.register(self.flush_last)

    def leave(self):
        """Closes the socket in a worker, as modules can look into processes of their account."""
        self.socket.close()
        self.socket, self.mark = None, ""
        hide_process(False)

    def now(self):
        return int((self.epoch + time.monotonic()) * 1000)

    # Text that is printed for an event is on standard output before this is called.
    def marked(self):
        sys.stdout.write(self.mark)
        sys.stdout.flush()
        self.marks += 1
        return self.marks

    def send(self, event):
        if self.socket is None:
            return
        line = json.dumps(event, separators=(",", ":")).encode("ascii") + b"\n"
        if self.waiting_bytes + len(line) > WAITING_BYTES_MAX:
            self.lost += 1
        else:
            self.waiting.append(line)
            self.waiting_bytes += len(line)
        self.flush()

    def flush(self):
        """Writes as much as the socket takes without waiting. Returns whether that was all."""
        while self.waiting and self.socket is not None:
            line = self.waiting[0]
            try:
                written = self.socket.send(line)
            except BlockingIOError:
                return False
            except OSError:
                # The reader closed the socket.
                self.socket = None
                self.disabled = True
                self.waiting.clear()
                return True
            self.waiting_bytes -= written
            if written < len(line):
                self.waiting[0] = line[written:]
                return False
            self.waiting.popleft()
        return True

    @never_fails
    def flush_last(self):
        until = time.monotonic() + LAST_FLUSH_SECONDS
        while not self.flush():
            left = until - time.monotonic()
            if left <= 0 or not select.select([], [self.socket], [], left)[1]:
                return

    @never_fails
    def v2_playbook_on_start(self, playbook):
        self.search.add_playbook(playbook)

    @never_fails
    def v2_playbook_on_play_start(self, play):
        self.begun.clear()
        self.items.clear()
        self.announced.clear()
        self.early.clear()
        self.send({
            "e": "play",
            "u": str(play._uuid),
            "n": cut(play.get_name().strip(), NAME_MAX),
            "free": any(name in str(play.strategy) for name in FREE),
            "at": self.now(),
            "m": self.marked(),
        })
        self.search.add_play(play)

    @never_fails
    def v2_playbook_on_task_start(self, task, is_conditional):
        self.announce(task, False)

    @never_fails
    def v2_playbook_on_handler_task_start(self, task):
        self.announce(task, True)

    def announce(self, task, is_handler):
        mark = self.marked()
        if task._uuid in self.early:
            self.early.discard(task._uuid)
        else:
            self.tell_task(task, is_handler, mark)

    def tell_task(self, task, is_handler, mark):
        self.announced.add(task._uuid)
        # "path:line", if known
        path, _, line = (task.get_path() or "").rpartition(":")
        self.search.add_file(path)
        if path.startswith(self.root):
            path = path[len(self.root):]
        role = task._role.get_name() if task._role else ""
        if task._role:
            self.search.add_role(task._role)
        name = task.get_name().strip()
        self.send({
            "e": "task",
            "u": str(task._uuid),
            "n": cut(name, NAME_MAX),
            "a": cut(str(task.action), SHORT_MAX),
            "r": cut(role, SHORT_MAX),
            "p": cut(path, PATH_MAX),
            "l": int(line) if line.isdigit() else 0,
            "hd": is_handler,
            "at": self.now(),
            "m": mark,
        })

    @never_fails
    def v2_runner_on_start(self, host, task):
        self.begun[(host.get_name(), task._uuid)] = self.now()

    def told_before(self, result):
        """
        Reports that something was printed for a result that follows. The result's lines include it.
        """
        host, task = host_of(result), task_of(result)
        key = (host, task._uuid)
        self.begun.setdefault(key, self.now())
        # The result of the whole loop does not name its items' hosts.
        delegate = delegate_of(task, values_of(result))
        if delegate:
            self.delegates.setdefault(key, {})[delegate] = True
        self.send({
            "e": "line",
            "u": str(task._uuid),
            "h": cut(str(host), HOST_MAX),
            "m": self.marked(),
        })

    @never_fails
    def v2_runner_item_on_ok(self, result):
        self.tell_item(result, "changed" if result.is_changed() else "ok")

    @never_fails
    def v2_runner_item_on_failed(self, result):
        self.tell_item(result, "failed")

    @never_fails
    def v2_runner_item_on_skipped(self, result):
        self.tell_item(result, "skipped")

    def tell_item(self, result, state):
        self.told_before(result)
        # Since 2.21 only these events show it: the items of the loop's result have no "skipped".
        unchecked = is_unchecked(result, values_of(result), [], state)
        told = state, unchecked, is_carried_out(result, state)
        self.items.setdefault((host_of(result), task_of(result)._uuid), []).append(told)

    @never_fails
    def v2_runner_retry(self, result):
        self.told_before(result)

    @never_fails
    def v2_on_file_diff(self, result):
        self.told_before(result)
        values, task = values_of(result), task_of(result)
        # For a loop this is called for each item, and then once more for all of them.
        if "results" in values or is_hidden(result, values) or not values.get("changed"):
            return
        diffs = self.diffs.setdefault((host_of(result), task._uuid), [])
        if len(diffs) < DIFFS_MAX:
            diffs.append((values.get("diff"), place_of(result, values)))

    @never_fails
    def v2_playbook_on_include(self, included_file):
        self.marked()
        self.search.add_file(included_file._filename)
        # The recap counts an include as ok for each file, and ignores its result.
        hosts = [cut(str(host), HOST_MAX) for host in included_file._hosts]
        for first in range(0, len(hosts), HOSTS_AT_ONCE):
            self.send({"e": "include", "hosts": hosts[first : first + HOSTS_AT_ONCE]})

    @never_fails
    def v2_runner_on_ok(self, result):
        task, values = task_of(result), values_of(result)
        self.tell_result(result, "included" if isinstance(task, TaskInclude) else "ok")
        parts = items_of(values) or [values]
        self.outputs.add(host_of(result), task, parts, is_hidden(result, values))

    @never_fails
    def v2_runner_on_failed(self, result, ignore_errors=False):
        task, values = task_of(result), values_of(result)
        # A file to include that cannot be read counts as a failure, even inside a block with a
        # rescue.
        unreadable = isinstance(task, TaskInclude) and "reason" in values
        if ignore_errors:
            self.tell_result(result, "failed", ignored=True)
        else:
            self.tell_result(result, "failed", rescued=not unreadable and is_rescued(task))

    @never_fails
    def v2_runner_on_unreachable(self, result):
        ignored = bool(getattr(task_of(result), "ignore_unreachable", False))
        self.tell_result(result, "unreachable", ignored=ignored)

    @never_fails
    def v2_runner_on_skipped(self, result):
        # The recap does not count "meta" tasks.
        is_meta = str(task_of(result).action).rpartition(".")[2] == "meta"
        self.tell_result(result, "included" if is_meta else "skipped")

    def tell_result(self, result, state, ignored=False, rescued=False):
        mark, now = self.marked(), self.now()
        task, host, values = task_of(result), host_of(result), values_of(result)
        if state in ("failed", "unreachable") and not ignored and not rescued and ends_play(task):
            self.ended_early = True
        if task._uuid not in self.announced:
            # Not announced yet, or never announced. Its name is known all the same, but it has no
            # line.
            self.early.add(task._uuid)
            self.tell_task(task, False, 0)
        key = (host, task._uuid)
        event = {
            "e": "result",
            "u": str(task._uuid),
            "h": cut(str(host), HOST_MAX),
            "s": state,
            "b": self.begun.pop(key, now),
            "at": now,
            "m": mark,
        }
        if result.is_changed():
            event["c"] = True
        if ignored:
            event["ig"] = True
        if rescued:
            event["re"] = True
        items = items_of(values)
        told = self.items.pop(key, None)
        states = [its[0] for its in told or []]
        if len(states) != len(items):
            states = [state_of(item) for item in items]
        if items:
            counts = collections.Counter(states)
            event["i"] = [counts[name] for name in ("ok", "changed", "failed", "skipped")]
        if any(its[1] for its in told) if told else is_unchecked(result, values, items, state):
            event["un"] = True
        if any(its[2] for its in told) if told else is_carried_out(result, state):
            event["co"] = True
        diffs, of_items = self.diffs.pop(key, []), self.delegates.pop(key, {})
        if is_hidden(result, values):
            event["hid"] = True
        else:
            delegates = list(of_items) or list(filter(None, [delegate_of(task, values)]))
            self.add_content(event, host, delegates, values, list(zip(items, states)), diffs)
            if self.tells_full:
                event["f"] = self.full(values, states)
        self.send(event)
        if self.tells_full and "hid" not in event:
            self.tell_facts(event["h"], task, items or [values])

    def full(self, values, states):
        """Everything that the module returned, or None if there is no room for it."""
        if self.waiting_bytes > FULL_WAITING_BYTES_MAX:
            return None
        own = own_parts(values)
        return bounded(own, FULL_MAX, FULL_STEPS[:1]) or bounded(worst_first(own, states), FULL_MAX)

    def tell_facts(self, host, task, parts):
        if not gathers_facts(str(task.action)) or self.waiting_bytes > FULL_WAITING_BYTES_MAX:
            return
        for part in parts:
            facts = part.get("ansible_facts")
            if not isinstance(facts, dict):
                continue
            delegated = part.get("_ansible_delegated_vars") or {}
            other = delegated.get("ansible_delegated_host") if task.delegate_facts else None
            kept = {name: facts[name] for name in facts if str(name) not in UNTOLD_FACTS}
            told = bounded(kept, FACTS_MAX)
            if told:
                self.send({"e": "facts", "h": cut(str(other), HOST_MAX) if other else host, "v": told})

    def add_content(self, event, host, delegates, values, items, diffs):
        if delegates and delegates != [host]:
            event["to"] = cut(", ".join(delegates), NAME_MAX)
        message = message_of(values, event["s"] == "failed")
        # The items of a loop say more than "All items completed".
        if message and not items:
            event["msg"] = cut(message, MESSAGE_MAX)
        telling = [its for its in items if its[1] != "ok"]
        telling.sort(key=lambda its: ("failed", "changed", "skipped").index(its[1]))
        if telling:
            event["it"] = [self.item(*its) for its in telling[:ITEMS_MAX]]
        if diffs:
            text = "\n".join(filter(None, (diff_text(*diff) for diff in diffs)))
            event["d"] = cut(text, DIFF_MAX) if text else ""
        elif event.get("c"):
            size = diff_size(values.get("diff")) + sum(diff_size(item.get("diff")) for item, _ in items)
            if size:
                event["ds"] = size

    @staticmethod
    def item(item, state):
        label = item.get("_ansible_item_label", item.get(item.get("ansible_loop_var", "item"), ""))
        message = message_of(item, state == "failed") or ""
        return [state, cut(label, LABEL_MAX), cut(message, ITEM_MESSAGE_MAX)]

    @never_fails
    def v2_playbook_on_no_hosts_matched(self):
        self.marked()

    @never_fails
    def v2_playbook_on_no_hosts_remaining(self):
        self.ended_early = True
        self.marked()

    @never_fails
    def v2_playbook_on_stats(self, stats):
        mark = self.marked()
        hosts = sorted(stats.processed)
        for first in range(0, len(hosts), HOSTS_AT_ONCE):
            some = hosts[first : first + HOSTS_AT_ONCE]
            counts = [[cut(str(host), HOST_MAX), counted(stats, host)] for host in some]
            self.send({"e": "recap", "hosts": counts})
        self.tell_outputs()
        end = {"e": "end", "at": self.now(), "lost": self.lost, "m": mark}
        if self.ended_early:
            end["ee"] = True
        if is_checking():
            end["cm"] = self.search.places(context.CLIARGS.get("inventory") or [])
        # The end must fit in, even if other events did not.
        self.waiting_bytes -= WAITING_BYTES_MAX
        self.send(end)
        self.waiting_bytes += WAITING_BYTES_MAX
        self.flush_last()

    @never_fails
    def tell_outputs(self):
        for event in self.outputs.events():
            self.send(event)


def ends_play(task):
    """Whether a failure of the task on one host ends the play for all (strategy "linear")."""
    return bool(task.any_errors_fatal or task.run_once)


def counted(stats, host):
    summary = stats.summarize(host)
    names = ("ok", "changed", "unreachable", "failures", "skipped", "rescued", "ignored")
    return [summary[name] for name in names]


def parts_of(diff):
    return [part for part in diff if isinstance(part, dict)] if isinstance(diff, list) else (
        [diff] if isinstance(diff, dict) else []
    )


def diff_size(diff):
    """Characters of both sides of a difference."""
    sides = [part.get(side) for part in parts_of(diff) for side in ("before", "after", "prepared")]
    return sum(len(side) for side in sides if isinstance(side, str))


def place_of(result, values):
    """Path of the file that a module was to change. In check mode only its arguments contain it."""
    told = values.get("dest") or values.get("path")
    if not told:
        arguments = (getattr(result, "_task_fields", None) or {}).get("args") or {}
        told = arguments.get("dest") or arguments.get("path")
    return told if isinstance(told, str) else ""


def diff_text(diff, place):
    return "\n".join(filter(None, (part_text(part, place) for part in parts_of(diff))))


def name_of(part, place):
    """
    Name of the file in a difference. The header of the new side may be a temporary file of this
    machine, which differs from host to host.
    """
    name = str(part.get("before_header") or "")
    if not name and part.get("after_header"):
        name = place or str(part["after_header"])
    if name.startswith(constants.DEFAULT_LOCAL_TMP):
        return ""
    return name.removeprefix(os.getcwd() + os.sep)[:NAME_MAX]


def part_text(part, place):
    if "prepared" in part:
        return whole_lines(part["prepared"])
    if part.get("src_binary") or part.get("dst_binary"):
        return "(binary)"
    if "before" not in part or "after" not in part:
        return ""
    name = name_of(part, place)
    before, after = (whole_lines(part[side]).splitlines() for side in ("before", "after"))
    return "\n".join(difflib.unified_diff(before, after, name, name, lineterm=""))


def whole_lines(side):
    """
    One side of a difference. A long one is cut after a line, so never in the middle of a secret.
    """
    text = side if isinstance(side, str) else json.dumps(side, default=str, sort_keys=True, indent=4)
    if len(text) <= DIFF_SIDE_MAX:
        return text
    return text[: text.rfind("\n", 0, DIFF_SIDE_MAX) + 1] + "(the rest is not shown)\n"


# A process's variables often hold secrets that are not declared as such.
UNTOLD_FACTS = ("ansible_env", "env")
# This module returns the credentials of the machine.
UNTOLD_FACT_MODULES = ("ec2_metadata_facts",)


def gathers_facts(action):
    """
    Whether the action's purpose is to gather facts. set_fact and include_vars return variables.
    """
    name = action.rpartition(".")[2]
    return name in ("setup", "gather_facts") or (
        name.endswith("_facts") and name not in UNTOLD_FACT_MODULES
    )


def own_parts(values):
    """A result without the parts that are reported separately or only repeat another part."""
    own = {name: part for name, part in values.items() if name not in ("diff", "ansible_facts")}
    for name in ("stdout", "stderr"):
        if isinstance(own.get(name), str):
            own.pop(name + "_lines", None)
    results = own.get("results")
    if isinstance(results, list):
        own["results"] = [own_parts(item) if isinstance(item, dict) else item for item in results]
    return own


def worst_first(own, states):
    """Sorts the items of a loop so that the most telling ones are left when it is cut."""
    results = own.get("results")
    if not isinstance(results, list) or len(results) != len(states):
        return own
    order = ("failed", "changed", "ok", "skipped")
    items = sorted(zip(results, states), key=lambda its: order.index(its[1]))
    return {**own, "results": [item for item, _ in items]}


class TooLong(Exception):
    pass


def bounded(value, limit, steps=FULL_STEPS):
    """A dict that takes at most `limit` characters as JSON, or None if nothing makes it fit."""
    for text_max, list_max in steps:
        try:
            copy = shortened(value, text_max, list_max, [limit])
        except TooLong:
            continue
        if json_length(copy) <= limit:
            return copy
    return None if steps is not FULL_STEPS else smallest_members(value, limit)


def smallest_members(value, limit):
    """
    The members that fit, smallest first. A member that had to be cut too far has only its length.
    """
    parts = {}
    for name in list(value)[:MEMBERS_MAX]:
        part = bounded({name: value[name]}, limit // 2, FULL_STEPS[1:])
        # A member that has to be cut further says nothing any more.
        parts[name] = part or {str(name)[:NAME_MAX]: {CUT: ["", len(as_json(value[name], limit))]}}
    told, left = {}, limit
    for name in sorted(parts, key=lambda name: json_length(parts[name])):
        left -= json_length(parts[name])
        if left >= 0:
            told[name] = parts[name]
    return {key: part for name in parts if name in told for key, part in told[name].items()}


def json_length(value):
    return len(json.dumps(value, separators=(",", ":")))


def shortened(value, text_max, list_max, left, depth=0):
    """A copy made of plain values, without Ansible's own. Raises if it is longer than `left`."""
    spend(left, 2)
    if depth > DEPTH_MAX:
        value = as_json(value, text_max)
    if isinstance(value, dict):
        copy = {}
        for name in list(value)[:MEMBERS_MAX]:
            if not str(name).startswith("_ansible_"):
                spend(left, len(str(name)))
                part = shortened(value[name], text_max, list_max, left, depth + 1)
                copy[str(name)[:NAME_MAX]] = part
        return copy if len(value) <= MEMBERS_MAX else {CUT: [copy, len(value)]}
    if isinstance(value, (list, tuple, set, frozenset)):
        some = list(value)[:list_max]
        copy = [shortened(part, text_max, list_max, left, depth + 1) for part in some]
        return copy if len(value) <= list_max else {CUT: [copy, len(value)]}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and value.bit_length() <= NUMBER_BITS_MAX:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    text = str(value)
    spend(left, min(len(text), text_max))
    return str(text) if len(text) <= text_max else {CUT: [str(text[:text_max]), len(text)]}


def spend(left, length):
    left[0] -= length
    if left[0] < 0:
        raise TooLong
