import { reopen, requireAdmin } from "@/lib/access/scope.ts";
import type { RunnerInstall } from "@/components/runners/installs.ts";
import type { RunnersPlace } from "@/components/runners/place.tsx";
import type { ProjectChoice } from "@/components/runners/RunnerForm.tsx";
import { isLoopback } from "@/lib/base/loopback.ts";
import { isPackaged } from "@/lib/base/machine/operator_command.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import type { RunnerForm } from "@/lib/runners/schema.ts";
import type { RunnerManager, RunnersScope } from "@/lib/runners/service.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import type { Rights } from "@/lib/web/rights.ts";
import { may, requirePermission } from "@/lib/web/shell.ts";
import { isOfProject, type State, userScope } from "@/lib/web/state.ts";

/** The runners of a project or those of the server, as its pages reach them. */
interface Runners {
  place: RunnersPlace;
  /** Scope of people who may see them. */
  sees(): RunnersScope;
  /** Scope of people who may change them, as of now. Throws 403. */
  manages(): Promise<RunnerManager>;
  /** Throws 403 for pages whose form the viewer could not submit anyway. */
  require(): void;
  /** Loads the projects that a runner of the server can be for; null for those of a project. */
  projectChoices(): Promise<ProjectChoice[] | null>;
}

export const runnersOf = (state: State): Runners =>
  isOfProject(state) ? projectRunners(state) : serverRunners(state);

/** People who may change them. */
export const runnerRights: Rights<RunnersScope, RunnerManager> = {
  sees(state) {
    const runners = runnersOf(state);
    runners.require();
    return runners.sees();
  },
  manages: (state) => runnersOf(state).manages(),
};

const projectRunners = ({ shell, scope }: State): Runners => ({
  place: {
    projectId: shell.project.id,
    name: shell.project.name,
    mayManage: may(shell, "manage_runners"),
  },
  sees: () => scope,
  manages: () => reopen(scope, "manage_runners"),
  require: () => requirePermission(shell, "manage_runners"),
  projectChoices: () => Promise.resolve(null),
});

function serverRunners(state: State): Runners {
  const sees = () => requireAdmin(userScope(state));
  return {
    place: { projectId: null, name: state.ui.t("admin.title"), mayManage: true },
    sees,
    manages: () => Promise.resolve(sees()),
    require: () => void sees(),
    projectChoices: async () =>
      (await listProjects(userScope(state))).map(({ id, name }) => ({ id, name })),
  };
}

/** Returns what the commands that install a runner depend on. */
export function runnerInstall({ deps: { config } }: State, url: URL): RunnerInstall {
  const { origin, protocol, hostname } = config.url ?? url;
  return {
    address: origin + config.basePath,
    problem: isLoopback(hostname) ? "loopback" : protocol === "https:" ? null : "insecure",
    version: config.version,
    kind: isPackaged() ? "archive" : "sources",
  };
}

/** Returns the values of a form for what is stored, or of a new one. */
export const placementValues = (
  stored: Partial<RunnerForm> = {},
): FormState => ({
  values: {
    which_projects: stored.project_ids && stored.project_ids.length > 0 ? "some" : "all",
    ...stored.name && { name: stored.name },
    ...stored.description && { description: stored.description },
    ...stored.labels && stored.labels.length > 0 && { labels: stored.labels.join(", ") },
    ...stored.max_parallel_tasks && { max_parallel_tasks: String(stored.max_parallel_tasks) },
    ...Object.fromEntries(
      (stored.project_ids ?? []).map((id, n) => [`project_ids.${n}`, String(id)]),
    ),
  },
  errors: {},
});

/**
 * Returns the values of a form as the schema wants them. All projects are an empty list. If only
 * some may use a runner, but none is chosen, the list is invalid instead.
 */
export function readPlacement({ which_projects, ...values }: FormValues): FormValues {
  const isChoice = (name: string) => /^project_ids(\.\d+)?$/.test(name);
  const others = Object.entries(values).filter(([name]) => !isChoice(name));
  if (which_projects !== "some") return Object.fromEntries(others);
  const chosen = Object.entries(values).filter(([name]) => isChoice(name)).map(([, id]) => id);
  const ids = chosen.length > 0 ? chosen : ["0"];
  return Object.fromEntries([...others, ...ids.map((id, n) => [`project_ids.${n}`, id])]);
}

/** Puts the errors of single projects at their list. */
export const placementErrors = (errors: FormState["errors"]): FormState["errors"] =>
  Object.fromEntries(
    Object.entries(errors).map((
      [name, error],
    ) => [name.replace(/^project_ids\..*$/, "project_ids"), error]),
  );
