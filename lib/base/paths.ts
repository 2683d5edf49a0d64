import { peoplePaths } from "./people_paths.ts";

/** The pages of the application, below the sub-path: `ui.href` puts that in front. */
export const paths = {
  ...peoplePaths,
  /** Where theme and language are sent. */
  preferences: () => "/auth/preferences",
  newProject: () => "/project/new",
  restoreProject: () => "/project/restore",
  /** Tasks of all projects that have no end yet. */
  queue: () => "/queue",
  /** What clients can ask for. */
  apiDocs: () => "/api/docs",
  project: (projectId: number) => `/project/${projectId}`,
  section: (projectId: number, section: Section) => `/project/${projectId}/${section}`,
  /** Says that all that failed until now was seen. */
  failuresSeen: (projectId: number) => `/project/${projectId}/history/seen`,
  /** Where the list of templates, and a template's page, hear of tasks that change. */
  templatesEvents: (projectId: number, viewId: number | null) =>
    `${paths.templates(projectId, viewId)}/events`,
  templateEvents: (projectId: number, templateId: number, viewId: number | null = null) =>
    `${paths.template(projectId, templateId, viewId)}/events`,
  /** Where the steps to a first task are hidden. */
  firstSteps: (projectId: number) => `/project/${projectId}/first_steps`,
  /** Beside the hosts: one of them may have any name. */
  hostEvents: (projectId: number) => `/project/${projectId}/host_events`,
  /** Where the history hears of tasks that change. */
  historyEvents: (projectId: number) => `/project/${projectId}/history/events`,
  /** Where the activity hears of what happens. */
  activityEvents: (projectId: number) => `/project/${projectId}/activity/events`,
  /** What of a project has a text in it. */
  search: (projectId: number, query: SearchAddress = {}): string => {
    const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
    return `/project/${projectId}/search` + (text.size > 0 ? `?${text}` : "");
  },
  /** Where a test message is sent from. */
  testAlerts: (projectId: number) => `/project/${projectId}/settings/alerts`,
  item: (projectId: number, section: Section, id: number | "new") =>
    `/project/${projectId}/${section}/${id}`,
  /** The hosts whose keys are pinned. */
  knownHosts: (projectId: number) => `/project/${projectId}/keys/known_hosts`,
  /** A host that runs have reached, or the question whether to forget it. */
  host: (projectId: number, name: string, part: "" | "/delete" = "") =>
    `/project/${projectId}/hosts/${encodeURIComponent(name)}${part}`,
  /** A template's page; with `viewId`, one that leads back to that view. */
  template: (projectId: number, templateId: number, viewId: number | null = null) =>
    `${paths.templates(projectId, viewId)}/${templateId}`,
  /** Which runs of a template printed something. */
  searchRuns: (projectId: number, templateId: number) =>
    `/project/${projectId}/templates/${templateId}/search`,
  editTemplate: (projectId: number, templateId: number | "new") =>
    `/project/${projectId}/templates/${templateId}/edit`,
  /** The form that starts a task; with `from`, filled in as that task was. */
  startTask: (projectId: number, templateId: number, from?: number) =>
    `/project/${projectId}/templates/${templateId}/tasks` + (from ? `?from=${from}` : ""),
  /** A run beside another one of its template: the last good one before it, unless the query says. */
  compare: (projectId: number, templateId: number, run?: number): string =>
    `${paths.template(projectId, templateId)}/compare` + (run ? `?a=${run}` : ""),
  /** The list of templates: of a view, or with null of all. */
  templates: (projectId: number, viewId: number | null): string =>
    `/project/${projectId}/${viewId === null ? "" : `views/${viewId}/`}templates`,
  /** Where a template is made a favourite, or no longer. */
  favourites: (projectId: number) => `/project/${projectId}/templates/favourites`,
  /** Where views are added, renamed and moved; `viewId` is the row to go to. */
  views: (projectId: number, viewId?: number) =>
    `/project/${projectId}/views` + (viewId ? `#view-${viewId}` : ""),
  deleteView: (projectId: number, viewId: number) => `/project/${projectId}/views/${viewId}/delete`,
  /** The project's schedules; with `templateId`, those of that template. */
  schedules: (projectId: number, templateId: number | null = null) =>
    `/project/${projectId}/schedules` + (templateId === null ? "" : `?template=${templateId}`),
  /** A schedule's form, or `part` of its pages; it leads back to the schedules of `templateId`. */
  schedule: (
    projectId: number,
    id: number | "new",
    templateId: number | null = null,
    part: "" | "/delete" | "/active" = "",
  ): string =>
    paths.schedules(projectId, templateId).replace("/schedules", `/schedules/${id}${part}`),
  /** An integration's page, or the form of a new one. */
  integration: (projectId: number, integrationId: number | "new") =>
    `/project/${projectId}/integration/${integrationId}`,
  /** The addresses of an integration, or with null those of the project. */
  aliases: (projectId: number, integrationId: number | null) =>
    integrationId === null
      ? `/project/${projectId}/integrations/aliases`
      : `${paths.integration(projectId, integrationId)}/aliases`,
  /** A matcher or extract value of an integration. */
  integrationPart: (
    projectId: number,
    integrationId: number,
    list: "matchers" | "values",
    partId: number | "new",
  ) => `${paths.integration(projectId, integrationId)}/${list}/${partId}`,
  /** Where an integration's page hears of calls. */
  deliveryEvents: (projectId: number, integrationId: number) =>
    `${paths.integration(projectId, integrationId)}/events`,
  /** A call that reached an integration. */
  delivery: (projectId: number, integrationId: number, deliveryId: number) =>
    `${paths.integration(projectId, integrationId)}/deliveries/${deliveryId}`,
  /** A task's page of its own, which needs no script to follow the output. */
  taskPage: (projectId: number, taskId: number) => `/project/${projectId}/tasks/${taskId}`,
  /** Where a page of a task, or one that a task lies over, hears what it comes to; `page` is its path. */
  taskEvents: (projectId: number, taskId: number, page: string) =>
    `${paths.taskPage(projectId, taskId)}/events?page=${encodeURIComponent(page)}`,
  /** Asks before a task is deleted; then leads `back`. */
  deleteTask: (projectId: number, taskId: number, back: string) =>
    `${paths.taskPage(projectId, taskId)}/delete?back=${encodeURIComponent(back)}`,
  /** A template's page with the log of one of its tasks open. */
  task: (projectId: number, templateId: number, taskId: number) =>
    paths.over(`/project/${projectId}/templates/${templateId}`, taskId),
  /** A page with the log of a task open over it. */
  over: (page: string, taskId: number) => `${page}${page.includes("?") ? "&" : "?"}t=${taskId}`,
};

/** What a search's address says: see lib/search/schema.ts. */
interface SearchAddress {
  q?: string;
  kind?: string;
  skip?: number;
  before?: number;
}

export type Section =
  | "history"
  | "activity"
  | "settings"
  | "templates"
  | "schedules"
  | "inventory"
  | "hosts"
  | "environment"
  | "keys"
  | "repositories"
  | "integrations"
  | "team";
