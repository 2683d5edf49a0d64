import type { AccountPage } from "./account_page.ts";
import { taskPaths } from "./task_paths.ts";

const nextPart = (next?: string) => next ? `?next=${encodeURIComponent(next)}` : "";

/** Paths of signing in, of accounts and of their administration. They are a part of `paths`. */
const peoplePaths = {
  signIn: (next?: string) => "/auth/login" + nextPart(next),
  signInHelp: (query = "") => `/auth/help${query}`,
  /** Second step of signing in. */
  signInCode: (next = "/") => `/auth/code${next === "/" ? "" : nextPart(next)}`,
  signInPasskey: (part = "") => `/auth/passkey${part}`,
  signOut: () => "/auth/logout",
  /** Signs in once. The operator or an administrator creates the link for one user. */
  signInLink: (token: string) => `/auth/link/${token}`,
  /** Page of an invitation to a project, for its holder. */
  invite: (token: string) => `/invite/${token}`,
  users: () => "/users",
  /** People of providers who wait for an administrator's approval. */
  waitingPeople: () => "/users/waiting",
  groupRules: () => "/users/rules",
  user: (userId: number | "new") => `/users/${userId}`,
  /** A page of one's own account. The profile is the first one. */
  account: (page: AccountPage = "profile") => page === "profile" ? "/account" : `/account/${page}`,
  accountPassword: () => "/account/password",
  shortcuts: () => "/account/shortcuts",
  /** Second factor of the account; `next` is the page to open once it is set up. */
  secondFactor: (next?: string) => "/account/second_factor" + nextPart(next),
  changeSecondFactor: (how: "recovery_codes" | "remove") => `/account/second_factor/${how}`,
  passkeys: (part: "" | "/options" | "/remove" = "") => `/account/passkeys${part}`,
  /** SSH keys of the account. */
  ownKey: (id: number | "new" | "remove") => `/account/keys/${id}`,
  accountBrowsers: () => "/account/browsers",
  /** Providers that the account is linked with. */
  accountLinks: (part: "" | "/remove" = "") => `/account/links${part}`,
  accountDirectory: () => "/account/directory",
  accountSessions: () => "/account/sessions",
  revokeAccountTokens: () => "/account/tokens/revoke",
  userSessions: (userId: number) => `/users/${userId}/sessions`,
  userPasskeys: (userId: number) => `/users/${userId}/passkeys`,
  userSecondFactor: (userId: number) => `/users/${userId}/second_factor`,
  userTokens: (userId: number) => `/users/${userId}/tokens`,
  userLink: (userId: number) => `/users/${userId}/link`,
};

/** Paths of all pages, below the sub-path. `ui.href` adds the sub-path. */
export const paths = {
  ...peoplePaths,
  ...taskPaths,
  /** Targets and rules of alerts, of a project or with null of the server. */
  alerts: (projectId: number | null) =>
    `${projectId === null ? "/admin" : `/project/${projectId}`}/alerts`,
  /** Creates, renews and deletes the feed of a project. */
  alertFeed: (projectId: number) => `/project/${projectId}/alerts/feed`,
  alertTarget: (
    projectId: number | null,
    targetId: number | "new",
    part: AlertTargetPart = "",
  ): string => `${paths.alerts(projectId)}/targets/${targetId}${part}`,
  alertRule: (
    projectId: number | null,
    ruleId: number | "new",
    part: "" | "/delete" = "",
  ): string => `${paths.alerts(projectId)}/rules/${ruleId}${part}`,
  preferences: () => "/auth/preferences",
  /** Event stream without events, for pages that have no other. */
  events: () => "/events",
  /** Data of the palette on pages of a project, or with null on those outside of projects. */
  palette: (projectId: number | null) =>
    projectId === null ? "/palette" : `/project/${projectId}/palette`,
  newProject: () => "/project/new",
  restoreProject: () => "/project/restore",
  /** Pages of the server, for its admins. It leads to account requests or to the first page. */
  admin: () => "/admin",
  adminHealth: () => "/admin/health",
  adminBackups: () => "/admin/backups",
  adminJobs: (part: "" | "/discard" = "") => `/admin/jobs${part}`,
  adminSettings: () => "/admin/settings",
  adminIdentity: () => "/admin/identity",
  adminMaintenance: (part: "" | "/end" | "/events" = "") => `/admin/maintenance${part}`,
  /** Toolchains of the server, and one of them. */
  serverToolchains: () => "/admin/toolchains",
  serverToolchain: (id: number | "new", part: ToolchainPart = "") =>
    `/admin/toolchains/${id}${part}`,
  /** Activity of a project, or with null of the server, and one of its events. */
  activity: (projectId: number | null, eventId?: string) =>
    `${projectId === null ? "/admin" : `/project/${projectId}`}/activity` +
    (eventId === undefined ? "" : `/${encodeURIComponent(eventId)}`),
  exportEvents: (projectId: number | null, format: "csv" | "jsonl") =>
    `/api${projectId === null ? "" : `/project/${projectId}`}/events.${format}`,
  /** Unfinished tasks of all projects. */
  queue: () => "/queue",
  apiDocs: () => "/api/docs",
  project: (projectId: number) => `/project/${projectId}`,
  section: (projectId: number, section: Section) => `/project/${projectId}/${section}`,
  /** The form that invites someone to a project, or one of its invitations. */
  teamInvite: (projectId: number, id?: number, part: "link" | "delete" = "link") =>
    `/project/${projectId}/team/` + (id === undefined ? "invite" : `invites/${id}/${part}`),
  /** Tokens that belong to a project, and the addresses that keep and revoke one. */
  projectTokens: (projectId: number, part: "" | "/keep" | "/revoke" = "") =>
    `/project/${projectId}/tokens${part}`,
  /** Marks all failures until now as seen. */
  failuresSeen: (projectId: number) => `/project/${projectId}/history/seen`,
  /** Event streams with changes of tasks, for the list of templates and for a template's page. */
  templatesEvents: (projectId: number, viewId: number | null) =>
    `${taskPaths.templates(projectId, viewId)}/events`,
  templateEvents: (projectId: number, templateId: number, viewId: number | null = null) =>
    `${taskPaths.template(projectId, templateId, viewId)}/events`,
  /** Hides the steps to the first task and after it. */
  firstSteps: (projectId: number) => `/project/${projectId}/first_steps`,
  /** A sibling of the hosts' pages, not below them, because a host may have any name. */
  hostEvents: (projectId: number) => `/project/${projectId}/host_events`,
  /** Event stream with changes of runs of workflows, for their list. */
  runsEvents: (projectId: number) => `/project/${projectId}/runs/events`,
  /** Event stream with changes of tasks, for the history. */
  historyEvents: (projectId: number) => `/project/${projectId}/history/events`,
  activityEvents: (projectId: number) => `/project/${projectId}/activity/events`,
  /** Search in a project. */
  search: (projectId: number, query: SearchAddress = {}): string => {
    const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
    return `/project/${projectId}/search` + (text.size > 0 ? `?${text}` : "");
  },
  item: (projectId: number, section: Section, id: number | "new") =>
    `/project/${projectId}/${section}/${id}`,
  /** Reads a path of a storage. */
  testStorage: (projectId: number, id: number) =>
    `/project/${projectId}/secret_storages/${id}/test`,
  /** The last build of a toolchain, with its log. */
  toolchainBuild: (projectId: number, id: number) => `/project/${projectId}/toolchains/${id}/build`,
  /** Hosts whose keys are pinned. */
  hostAuthorities: (projectId: number) => `/project/${projectId}/keys/host_authorities`,
  knownHosts: (projectId: number) => `/project/${projectId}/keys/known_hosts`,
  /** A host that tasks have reached, or the confirmation before it is forgotten. */
  host: (projectId: number, name: string, part: "" | "/delete" = "") =>
    `/project/${projectId}/hosts/${encodeURIComponent(name)}${part}`,
  /** Drift of the hosts of all projects that a person can see. */
  allDrift: () => "/drift",
  driftEvents: (projectId: number) => `/project/${projectId}/drift/events`,
  /** Starts a check of a template. */
  checkTemplate: (projectId: number, templateId: number) =>
    `/project/${projectId}/templates/${templateId}/check`,
  /** The page of the template or workflow that a trigger starts. */
  startTarget: (
    projectId: number,
    { template_id, workflow_id }: { template_id: number | null; workflow_id?: number | null },
  ) =>
    workflow_id
      ? taskPaths.workflow(projectId, workflow_id)
      : taskPaths.template(projectId, template_id ?? 0),
  /** Search in the output of a template's tasks. */
  searchRuns: (projectId: number, templateId: number) =>
    `/project/${projectId}/templates/${templateId}/search`,
  editTemplate: (projectId: number, templateId: number | "new") =>
    `/project/${projectId}/templates/${templateId}/edit`,
  /** The part of a template's form about its checks. */
  templateChecks: (projectId: number, templateId: number): string =>
    `${paths.editTemplate(projectId, templateId)}#template-checks`,
  /** Form of a step, or the address that changes it. */
  workflowStep: (
    projectId: number,
    workflowId: number,
    stepId: number | "new",
    part: "" | "/delete" | "/move" = "",
  ): string => `${taskPaths.workflow(projectId, workflowId)}/steps/${stepId}${part}`,
  workflowRun: (
    projectId: number,
    workflowId: number,
    runId: number,
    part: WorkflowRunPart = "",
  ): string => `${taskPaths.workflow(projectId, workflowId)}/runs/${runId}${part}`,
  /**
   * Compares a run of a workflow with another one: by default the latest successful one before it.
   */
  compareRuns: (projectId: number, workflowId: number, run: number): string =>
    `${taskPaths.workflow(projectId, workflowId, "/compare")}?a=${run}`,
  /** Votes on a step of a run that waits for approval. */
  workflowVote: (projectId: number, workflowId: number, runId: number, stepId: number) =>
    `${paths.workflowRun(projectId, workflowId, runId)}/approvals/${stepId}`,
  /** Adds or removes a favourite template. */
  favourites: (projectId: number) => `/project/${projectId}/templates/favourites`,
  /** Playbooks of a repository, for the form of a template. */
  playbooks: (projectId: number) => `/project/${projectId}/templates/playbooks`,
  /** Page that adds, renames and moves views; `viewId` is the row to scroll to. */
  views: (projectId: number, viewId?: number) =>
    `/project/${projectId}/views` + (viewId ? `#view-${viewId}` : ""),
  editView: (projectId: number, viewId: number) => `/project/${projectId}/views/${viewId}`,
  deleteView: (projectId: number, viewId: number) => `/project/${projectId}/views/${viewId}/delete`,
  /** Schedules of the project; with `templateId`, those of that template. */
  schedules: (projectId: number, templateId: number | null = null) =>
    `/project/${projectId}/schedules` + (templateId === null ? "" : `?template=${templateId}`),
  /** A schedule's form, or `part` of its pages. It leads back to the schedules of `templateId`. */
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
  /** Webhook URLs of an integration, or with null those of the project. */
  aliases: (projectId: number, integrationId: number | null) =>
    integrationId === null
      ? `/project/${projectId}/integrations/aliases`
      : `${paths.integration(projectId, integrationId)}/aliases`,
  /** A matcher or extract value of an integration. */
  integrationRule: (
    projectId: number,
    integrationId: number,
    list: "matchers" | "values",
    ruleId: number | "new",
  ) => `${paths.integration(projectId, integrationId)}/${list}/${ruleId}`,
  /** Event stream with webhook calls, for an integration's page. */
  deliveryEvents: (projectId: number, integrationId: number) =>
    `${paths.integration(projectId, integrationId)}/events`,
  /** A webhook call that reached an integration. */
  delivery: (projectId: number, integrationId: number, deliveryId: number) =>
    `${paths.integration(projectId, integrationId)}/deliveries/${deliveryId}`,
};

/** Query parameters of the search. See lib/search/schema.ts. */
interface SearchAddress {
  q?: string;
  kind?: string;
  skip?: number;
  before?: number;
}

type WorkflowRunPart = "" | "/stop" | "/again" | "/events";

type AlertTargetPart = "" | "/edit" | "/delete" | "/test" | "/resume";
type ToolchainPart = "" | "/delete" | "/uses" | "/build" | "/build/events";

export type Section =
  | "history"
  | "runs"
  | "activity"
  | "settings"
  | "templates"
  | "workflows"
  | "schedules"
  | "inventory"
  | "hosts"
  | "drift"
  | "environment"
  | "keys"
  | "secret_storages"
  | "repositories"
  | "git_credentials"
  | "toolchains"
  | "integrations"
  | "runners"
  | "alerts"
  | "team";
