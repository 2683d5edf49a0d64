"""
Lets Ansible find background jobs of this machine again. See docs/decisions/0037.

A connection of type local has two homes here: modules get the run's HOME, while Ansible looks for
their files in the home of the account. So the default folder for jobs, ~/.ansible_async, is not the
one that async_status looks in. For such connections it becomes a folder of the run, which Ansible
removes at its end. All other connections use Ansible's own folder.

No option can do this, because each one applies to all connections. It is a callback because Ansible
loads callbacks before it starts its workers. It needs only the standard library.
"""

from __future__ import annotations

DOCUMENTATION = """
    name: callboard_async
    type: notification
    short_description: lets jobs in the background of this machine be found
    description:
        - Chooses the folder for jobs of local connections.
"""

import functools
import os
import pwd

from ansible import constants
from ansible.plugins.action import ActionBase
from ansible.plugins.callback import CallbackBase

DEFAULT = "~/.ansible_async"


def is_own(action):
    """Whether modules of this action get the run's HOME. sudo and others set their account's."""
    if action._connection.transport != "local":
        return False
    if not action._connection.become:
        return True
    return action.get_become_option("become_user") == pwd.getpwuid(os.geteuid()).pw_name


def resolved(path):
    """The folder that this path means, both for the job and for async_status."""
    if path == DEFAULT:
        return os.path.join(constants.DEFAULT_LOCAL_TMP, "async")
    return os.path.expanduser(path) if path.startswith("~/") else path


def choose_folder():
    own = ActionBase.get_shell_option

    @functools.wraps(own)
    def get_shell_option(self, option, default=None):
        value = own(self, option, default)
        return resolved(value) if option == "async_dir" and is_own(self) else value

    ActionBase.get_shell_option = get_shell_option


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "callboard_async"
    CALLBACK_NEEDS_ENABLED = False

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.disabled = True
        choose_folder()
