interface ProjectParts {
  projectId: number;
  /** Ids of its templates, at least eight. */
  templates: readonly number[];
  scheduleId: number;
  workflowId: number;
  keyId: number;
  taskId: number;
}

/** Addresses of the pages and lists of a project that could depend on its size, by their names. */
export function projectPages(
  { projectId, templates, scheduleId, workflowId, keyId, taskId }: ProjectParts,
): Record<string, string> {
  const project = `/project/${projectId}`;
  const api = `/api${project}`;
  const template = `${project}/templates/${templates[0]}`;
  const latest = `${project}/templates/${templates.at(-1)}`;
  return {
    "history": `${project}/history`,
    "history of a template": `${project}/history?template=${templates[7]}`,
    "runs": `${project}/runs`,
    "activity": `${project}/activity`,
    "templates": `${project}/templates`,
    "templates, page 2": `${project}/templates?page=2`,
    "templates, filtered": `${project}/templates?q=shop`,
    "templates by status": `${project}/templates?sort=status`,
    "template": template,
    "template's form": `${template}/edit`,
    "new template": `${project}/templates/new/edit`,
    "copy of a template": `${project}/templates/new/edit?from=${templates[0]}`,
    "start of a task": `${template}/tasks`,
    "template's drift": `${template}/drift`,
    "deleting a template": `${latest}/delete`,
    "task": `${project}/tasks/${taskId}`,
    "schedules": `${project}/schedules`,
    "schedule": `${project}/schedules/${scheduleId}`,
    "new schedule": `${project}/schedules/new`,
    "integrations": `${project}/integrations`,
    "new integration": `${project}/integration/new`,
    "workflows": `${project}/workflows`,
    "workflow": `${project}/workflows/${workflowId}`,
    "workflow's form": `${project}/workflows/${workflowId}/edit`,
    "new step": `${project}/workflows/${workflowId}/steps/new?kind=template`,
    "alerts": `${project}/alerts`,
    "new rule": `${project}/alerts/rules/new`,
    "drift": `${project}/drift`,
    "hosts": `${project}/hosts`,
    "keys": `${project}/keys`,
    "uses of a key": `${project}/keys/${keyId}/uses`,
    "inventory": `${project}/inventory`,
    "repositories": `${project}/repositories`,
    "environment": `${project}/environment`,
    "team": `${project}/team`,
    "views": `${project}/views`,
    "settings": `${project}/settings`,
    "search": `${project}/search?q=shop`,
    "search for a template": `${project}/search?q=Service+17`,
    "API: templates?limit=20": `${api}/templates?limit=20`,
    "API: schedules?limit=20": `${api}/schedules?limit=20`,
    "API: search": `${api}/search?q=Service+17`,
    "API: events/last": `${api}/events/last?limit=50`,
  };
}
