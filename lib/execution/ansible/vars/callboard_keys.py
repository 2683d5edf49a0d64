"""
Gives each host only the SSH keys that are meant for it. See docs/decisions/0117.

CALLBOARD_HOST_KEYS is the path of a file with the rules, as JSON. The keys themselves are in an
agent: ssh asks it for those whose public halves the options of a host name. It works with
ansible-core 2.14 and later, and needs only the standard library.

A plugin that is not part of a collection, and does not ask to be enabled, always runs. So the
play's own setting of `vars_plugins_enabled` holds for all others.
"""

from __future__ import annotations

DOCUMENTATION = """
    name: callboard_keys
    short_description: gives each host the SSH keys that are meant for it
    description:
        - Adds the options of ssh for the keys of a host to those of the inventory.
        - Does nothing anywhere else.
    options:
        stage:
            description: When it runs.
            type: str
            choices: [all, task, inventory]
            default: task
"""

import fnmatch
import functools
import json
import os
import shlex

from ansible import constants
from ansible.inventory.helpers import get_group_vars, sort_groups
from ansible.inventory.host import Host
from ansible.plugins.loader import connection_loader
from ansible.plugins.vars import BaseVarsPlugin
from ansible.vars.plugins import get_vars_from_path

try:  # from 2.19 on
    from ansible.template import is_trusted_as_template, trust_as_template
except ImportError:
    is_trusted_as_template = trust_as_template = None

VARIABLE = "CALLBOARD_HOST_KEYS"
ARGUMENTS = ["ssh_extra_args", "sftp_extra_args", "scp_extra_args"]
USERS = ["ansible_user", "ansible_ssh_user"]
PORTS = ["ansible_port", "ansible_ssh_port"]
NAMES = ["ansible_" + name for name in ARGUMENTS] + USERS + PORTS


def read_rules():
    path = os.environ.get(VARIABLE)
    if not path:
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


RULES = read_rules()

# Folders whose variables apply: those of inventories, then those of playbooks.
paths = []
# Variables of hosts as this plugin returned them, by all that they depend on.
known = {}
is_asking_others = False


def matches(patterns, names):
    return any(fnmatch.fnmatchcase(name, one) for one in patterns for name in names)


def keys_for(host):
    """Returns the keys for a host, in order."""
    names = [host.name, "all"] + [group.name for group in host.get_groups()]
    return [key for key in RULES["keys"] if key["hosts"] is None or matches(key["hosts"], names)]


def first(keys, name):
    return next((key[name] for key in keys if key[name]), None)


def quoted(path):
    """Returns a path for a value of an option of ssh, in which % begins a variable."""
    return '"%s"' % path.replace("%", "%%")


def options_for(keys):
    """Returns the words that name the keys to ssh, and how to reach a host with them."""
    options = ["IdentitiesOnly=yes"]
    options += ["IdentityFile=" + quoted(key["file"]) for key in keys]
    if not keys:
        options.append("IdentityFile=none")
    jump = first(keys, "jump")
    if jump:
        command = shlex.quote(jump["program"]).replace("%", "%%")
        # A host of the same address behind another jump host is another one.
        control = jump["control"]
        options.append("ProxyCommand=%s %%h %%p" % command)
        if not control:
            options.append("ControlPath=none")
    return " ".join("-o " + shlex.quote(option) for option in options)


def others(loader, found, entities):
    """Adds what other plugins know of hosts or groups."""
    for path in paths:
        found.update(get_vars_from_path(loader, path, entities, "task"))


def set_elsewhere(loader, host):
    """Returns what inventories, their files and other plugins set, by the usual precedence."""
    global is_asking_others
    groups = sort_groups(host.get_groups())
    is_asking_others = True
    try:
        found = dict(get_group_vars(groups))
        others(loader, found, [group for group in groups if group.name == "all"])
        others(loader, found, [group for group in groups if group.name != "all"])
        found.update(host.get_vars())
        others(loader, found, [host])
    finally:
        is_asking_others = False
    return found


@functools.lru_cache(maxsize=None)
def configured(name):
    """Returns the arguments that settings, the environment or the command line give ssh."""
    connection_loader.get("ssh", class_only=True)  # Loads the definitions of its settings.
    value = constants.config.get_config_value(name, plugin_type="connection", plugin_name="ssh")
    return value or ""


def joined(before, options):
    if not before:
        return options
    text = "%s %s" % (before, options)
    if is_trusted_as_template and is_trusted_as_template(before):
        return trust_as_template(text)
    return text


def variables_of(loader, host):
    keys = keys_for(host)
    found = set_elsewhere(loader, host)
    options = options_for(keys)
    variables = {}
    for name in ARGUMENTS:
        before = found.get("ansible_" + name)
        before = configured(name) if before is None else before
        variables["ansible_" + name] = joined(before, options)
    user, port, jump = first(keys, "user"), first(keys, "port"), first(keys, "jump")
    if user and user != RULES["user"] and not any(name in found for name in USERS):
        variables["ansible_user"] = user
    if port and not any(name in found for name in PORTS):
        variables["ansible_port"] = port
    if jump and jump["control"]:
        variables["ansible_control_path_dir"] = jump["control"]
    return variables


class VarsModule(BaseVarsPlugin):
    is_stateless = True

    def get_vars(self, loader, path, entities, cache=True):
        if RULES is None or is_asking_others:
            return {}
        if path not in paths:
            paths.append(path)
        variables = {}
        for entity in entities if isinstance(entities, list) else [entities]:
            if not isinstance(entity, Host):
                continue
            groups = tuple(group.name for group in entity.get_groups())
            own = tuple(str(entity.vars.get(name)) for name in NAMES)
            about = (entity.name, groups, own, len(paths))
            if about not in known:
                known[about] = variables_of(loader, entity)
            variables.update(known[about])
        return variables
