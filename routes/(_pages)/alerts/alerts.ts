import { reopen, requireAdmin, withPermission } from "@/lib/access/scope.ts";
import type { AlertsPlace } from "@/components/alerts/place.tsx";
import type { RuleSubjects } from "@/components/alerts/RuleForm.tsx";
import type { FeedView } from "@/lib/alerts/feed/schema.ts";
import { getFeed } from "@/lib/alerts/feed/service.ts";
import type { RuleView } from "@/lib/alerts/rules/schema.ts";
import { ALERT_EVENTS, type AlertEvent } from "@/lib/alerts/schema.ts";
import { type AlertsScope, isAdmin } from "@/lib/alerts/scope.ts";
import type { TargetView } from "@/lib/alerts/targets/schema.ts";
import { paths } from "@/lib/base/paths.ts";
import { versionOf } from "@/lib/base/version.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import { outlinesByName } from "@/lib/templates/outlines.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { storedForm } from "@/lib/web/forms/conflict.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import type { Rights } from "@/lib/web/rights.ts";
import { may } from "@/lib/web/shell.ts";
import { isOfProject, type State, userScope } from "@/lib/web/state.ts";
import { listWorkflowNames } from "@/lib/workflows/service.ts";

/** The alerts of a project or those of the server, as their pages reach them. */
interface Alerts {
  place(): AlertsPlace;
  /** Scope of people who may see and change them. Throws 403. */
  sees(): AlertsScope;
  /** The same, as of now. */
  manages(): Promise<AlertsScope>;
  events: readonly AlertEvent[];
  /** Loads the things that a rule can be for. */
  subjects(): Promise<RuleSubjects>;
  /** Loads the feed; null for the server, which has none. */
  feed(): Promise<FeedView | null>;
}

export const alertsOf = (state: State): Alerts =>
  isOfProject(state) ? projectAlerts(state) : serverAlerts(state);

/** People who may see and change them. */
export const alertRights: Rights<AlertsScope, AlertsScope> = {
  sees: (state) => alertsOf(state).sees(),
  manages: (state) => alertsOf(state).manages(),
};

/** The page of targets and rules. */
export const alertsPath = (state: State): string => paths.alerts(alertsOf(state).place().projectId);

const SERVER_EVENTS: readonly AlertEvent[] = ["account_locked", "backup_too_old"];

function projectAlerts({ shell, scope, ui }: State): Alerts {
  const { project } = shell;
  const sees = () => withPermission(scope, "manage_resources");
  return {
    place: () => ({
      projectId: project.id,
      name: project.name,
      alert: project.alert,
      mayChange: may(shell, "update_project"),
      hasAddress: scope.deps.config.url !== null,
      mayAllowPrivate: isAdmin(sees()),
    }),
    sees,
    manages: () => reopen(scope, "manage_resources"),
    events: ALERT_EVENTS.filter((event) => !SERVER_EVENTS.includes(event)),
    async subjects() {
      const [template_ids, view_ids, workflows] = await Promise.all([
        outlinesByName(scope, ui.language),
        viewService.list(scope),
        listWorkflowNames(scope),
      ]);
      const named = view_ids.map(({ id, title }) => ({ id, name: title }));
      const workflow_ids = [...workflows].map(([id, name]) => ({ id, name }));
      return { template_ids, view_ids: named, workflow_ids };
    },
    feed: () => getFeed(sees()),
  };
}

function serverAlerts(state: State): Alerts {
  const sees = () => requireAdmin(userScope(state));
  return {
    place: () => ({
      projectId: null,
      name: state.ui.t("admin.title"),
      alert: true,
      mayChange: false,
      hasAddress: state.deps.config.url !== null,
      mayAllowPrivate: true,
    }),
    sees,
    manages: () => Promise.resolve(sees()),
    events: ALERT_EVENTS,
    subjects: async () => ({ project_ids: await listProjects(userScope(state)) }),
    feed: () => Promise.resolve(null),
  };
}

const isItemOf = (list: string) => (name: string) => name === list || name.startsWith(`${list}.`);

const ROLES_FIELD = "settings.roles";

/** Returns the form of a stored target. Roles have a checkbox each. */
export function targetFormOf(target: TargetView): FormState {
  const { name, language, active, allow_private, settings: { roles = "", ...settings } } = target;
  const shown = { name, language, active, allow_private, settings };
  const chosen = roles.split(/[\s,;]+/).filter(Boolean)
    .map((role, n) => [`${ROLES_FIELD}.${n}`, role]);
  return storedForm({ ...shown, ...Object.fromEntries(chosen) }, versionOf(target));
}

/** Returns the typed values as the schema wants them. Browsers do not send unticked checkboxes. */
export function readTarget(typed: FormValues, { mayAllowPrivate }: AlertsPlace): FormValues {
  const isRole = isItemOf(ROLES_FIELD);
  const roles = Object.entries(typed).filter(([name]) => isRole(name)).map(([, role]) => role);
  const others = Object.entries(typed).filter(([name]) => !isRole(name));
  return {
    ...Object.fromEntries(others),
    ...typed.kind === "email" && { [ROLES_FIELD]: roles.join(",") },
    active: typed.active ?? "false",
    ...mayAllowPrivate && { allow_private: typed.allow_private ?? "false" },
  };
}

/** Returns the names of the secrets that a form removes. */
export const removedSecrets = (typed: FormValues): string[] =>
  Object.keys(typed).filter(isItemOf("remove")).map((name) => name.slice("remove.".length));

/** Returns the form of a stored rule. Patterns of hosts have a line each. */
export function ruleFormOf({ id: _, project_id: __, ...rule }: RuleView, zone: string): FormState {
  const shown = {
    ...rule,
    hosts: rule.hosts.join("\n"),
    quiet: rule.quiet ?? { timezone: zone },
  };
  return storedForm(shown, versionOf(rule));
}

/**
 * Returns the typed values as the schema wants them. Without times there are no quiet hours, and
 * without a name the rule has that of its target.
 */
export function readRule(typed: FormValues, targetName: string): FormValues {
  const isQuiet = typed["quiet.from"] || typed["quiet.to"];
  const hosts = (typed.hosts ?? "").split("\n").map((line) => line.trim()).filter(Boolean);
  const others = Object.entries(typed).filter(([name]) =>
    name !== "hosts" && (isQuiet || !isItemOf("quiet")(name))
  );
  return {
    ...Object.fromEntries(others),
    name: typed.name?.trim() || targetName,
    ...Object.fromEntries(hosts.map((host, n) => [`hosts.${n}`, host])),
    digest: typed.digest ?? "false",
    active: typed.active ?? "false",
  };
}

/** Puts the errors of single items at their list. */
export const listErrors = (errors: FormState["errors"]): FormState["errors"] =>
  Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name.replace(/\.\d+$/, ""), error]),
  );
