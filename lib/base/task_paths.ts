/**
 * Paths of tasks, of what starts them and of what runs them. They are a part of `paths`; islands
 * import only these, because a browser loads all paths of a module.
 */
export const taskPaths = {
  /** Runners of a project, or with null of the server, and their reusable tokens. */
  runners: (projectId: number | null, part: "" | "/events" | "/tokens" | "/tokens/delete" = "") =>
    `${projectId === null ? "/admin" : `/project/${projectId}`}/runners${part}`,
  runner: (projectId: number | null, runnerId: number | "new", part: RunnerPart = ""): string =>
    `${taskPaths.runners(projectId)}/${runnerId}${part}`,
  /** A template's page; with `viewId`, one that leads back to that view. */
  template: (projectId: number, templateId: number, viewId: number | null = null) =>
    `${taskPaths.templates(projectId, viewId)}/${templateId}`,
  workflows: (projectId: number) => `/project/${projectId}/workflows`,
  workflow: (projectId: number, workflowId: number | "new", part: WorkflowPart = ""): string =>
    `${taskPaths.workflows(projectId)}/${workflowId}${part}`,
  /** Form that starts a task; with `from`, filled in with the values of that task. */
  startTask: (projectId: number, templateId: number, from?: number) =>
    `/project/${projectId}/templates/${templateId}/tasks` + (from ? `?from=${from}` : ""),
  /**
   * Compares a task with another one of its template: by default the last successful one before it.
   */
  compare: (projectId: number, templateId: number, run?: number, base?: number): string =>
    `${taskPaths.template(projectId, templateId)}/compare` + (run ? `?a=${run}` : "") +
    (base ? `&b=${base}` : ""),
  /** Drift of the hosts of a template. */
  templateDrift: (projectId: number, templateId: number) =>
    `/project/${projectId}/templates/${templateId}/drift`,
  /** List of templates of a view, or with null of all. */
  templates: (projectId: number, viewId: number | null): string =>
    `/project/${projectId}/${viewId === null ? "" : `views/${viewId}/`}templates`,
  /** Separate page of a task. Browsers without scripts can follow its output, too. */
  taskPage: (projectId: number, taskId: number) => `/project/${projectId}/tasks/${taskId}`,
  /**
   * Event stream for a page of a task, or for the page below a task's overlay; `page` is its path.
   */
  taskEvents: (projectId: number, taskId: number, page: string) =>
    `${taskPaths.taskPage(projectId, taskId)}/events?page=${encodeURIComponent(page)}`,
  /** Repeats a task on the hosts that failed, or asks for the options first. */
  retryTask: (projectId: number, taskId: number) =>
    `${taskPaths.taskPage(projectId, taskId)}/retry`,
  /** Event stream with the reason why a task waits. */
  taskWait: (projectId: number, taskId: number) => `${taskPaths.taskPage(projectId, taskId)}/wait`,
  /** Event stream with the votes about the confirmation of a task. */
  taskApproval: (projectId: number, taskId: number) =>
    `${taskPaths.taskPage(projectId, taskId)}/approval`,
  /** Event stream with the outputs of a task, once it has ended. */
  taskOutputs: (projectId: number, taskId: number, page = "") =>
    `${taskPaths.taskPage(projectId, taskId)}/outputs` +
    (page && `?page=${encodeURIComponent(page)}`),
  /** Asks for confirmation before a task is deleted, then leads to `back`. */
  deleteTask: (projectId: number, taskId: number, back: string) =>
    `${taskPaths.taskPage(projectId, taskId)}/delete?back=${encodeURIComponent(back)}`,
  /** A template's page with the log of a task in an overlay, at `line` if there is one. */
  task: (projectId: number, templateId: number, taskId: number, line: number | null = null) =>
    taskPaths.over(`/project/${projectId}/templates/${templateId}`, taskId) +
    (line === null ? "" : `&line=${line}`),
  /** A page with the log of a task in an overlay. */
  over: (page: string, taskId: number) => `${page}${page.includes("?") ? "&" : "?"}t=${taskId}`,
};

type RunnerPart = "" | "/connection" | "/edit" | "/state" | "/token" | "/revoke" | "/delete";
type WorkflowPart =
  | ""
  | "/edit"
  | "/delete"
  | "/run"
  | "/events"
  | "/compare"
  | "/steps/new"
  | "/who";
