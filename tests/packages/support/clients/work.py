"""Does a task's work with the client that openapi-python-client has generated."""

import os

from callboard import AuthenticatedClient
from callboard.api.environment import create_environment
from callboard.api.inventory import create_inventory
from callboard.api.key_store import create_key
from callboard.api.projects import create_project, list_projects
from callboard.api.repositories import create_repository
from callboard.api.task_templates import create_template
from callboard.api.tasks import get_task, get_task_output, start_task
from callboard.models import (
    ApiError, EnvironmentBody, InventoryBody, InventoryBodyType, KeyBody, KeyBodyType,
    ProjectBody, RepositoryBody, StartTaskBody, TemplateBody,
)

client = AuthenticatedClient(
    base_url=os.environ["CALLBOARD"] + "/api", token=os.environ["TOKEN"], timeout=60)
project = create_project.sync(client=client, body=ProjectBody(name="Python")).id
assert project in [one.id for one in list_projects.sync(client=client)]
assert len(list_projects.sync(client=client, limit=1)) == 1
key = create_key.sync(project, client=client, body=KeyBody("None", KeyBodyType.NONE)).id
repository = create_repository.sync(project, client=client, body=RepositoryBody(
    name="Playbooks", git_url=os.environ["REPOSITORY"], ssh_key_id=key, git_branch="main")).id
inventory = create_inventory.sync(project, client=client, body=InventoryBody(
    name="Here", type_=InventoryBodyType.STATIC, ssh_key_id=key,
    inventory="localhost ansible_connection=local")).id
environment = create_environment.sync(project, client=client, body=EnvironmentBody(
    name="Values", json='{"region": "eu"}')).id
template = create_template.sync(project, client=client, body=TemplateBody(
    name="Say", playbook="site.yml", inventory_id=inventory, repository_id=repository,
    environment_id=environment)).id
task = start_task.sync(project, client=client, body=StartTaskBody(template_id=template))
while task.end is None:
    task = get_task.sync(project, task.id, client=client, wait=30)
lines = get_task_output.sync(project, task.id, client=client)
refused = get_task.sync(project, 999_999, client=client)
assert isinstance(refused, ApiError) and refused.code == "not_found", refused
print(task.status.value, task.created.year > 2000)
print("\n".join(line.output for line in lines))
