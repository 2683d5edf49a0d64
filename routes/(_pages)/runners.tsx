import { reopen, requireAdmin } from "@/lib/access/scope.ts";
import type { RunnersPlace } from "@/components/runners/place.tsx";
import type { ProjectChoice } from "@/components/runners/RunnerForm.tsx";
import { operatorCommand } from "@/lib/base/operator_command.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";
import type { RunnerForm } from "@/lib/runners/schema.ts";
import type { RunnerManager, RunnersScope } from "@/lib/runners/service.ts";
import type { FormState } from "@/lib/web/forms/form.ts";
import type { FormValues } from "@/lib/web/forms/read_form.ts";
import { may, requirePermission } from "@/lib/web/shell.ts";
import { type State, userScope } from "@/lib/web/state.ts";

/** The runners of a project or those of the server, as its pages reach them. */
export interface Runners {
  place(state: State): RunnersPlace;
  /** Scope of people who may see them. */
  sees(state: State): RunnersScope;
  /** Scope of people who may change them, as of now. Throws 403. */
  manages(state: State): Promise<RunnerManager>;
  /** Throws 403 for pages whose form the viewer could not submit anyway. */
  require(state: State): void;
}

export const PROJECT_RUNNERS: Runners = {
  place: ({ shell }) => ({
    projectId: shell.project.id,
    name: shell.project.name,
    mayManage: may(shell, "manage_resources"),
  }),
  sees: ({ scope }) => scope,
  manages: ({ scope }) => reopen(scope, "manage_resources"),
  require: ({ shell }) => requirePermission(shell, "manage_resources"),
};

export const SERVER_RUNNERS: Runners = {
  place: ({ ui }) => ({ projectId: null, name: ui.t("admin.title"), mayManage: true }),
  sees: (state) => requireAdmin(userScope(state)),
  manages: (state) => Promise.resolve(requireAdmin(userScope(state))),
  require: (state) => void requireAdmin(userScope(state)),
};

/** Returns the projects that a runner of the server can be for; null for those of a project. */
export async function projectChoices(
  runners: Runners,
  state: State,
): Promise<ProjectChoice[] | null> {
  if (runners.place(state).projectId !== null) return null;
  return (await listProjects(userScope(state))).map(({ id, name }) => ({ id, name }));
}

/** Returns the commands for the machine of a runner: to register it, and to start it. */
export function runnerCommands({ deps: { config } }: State, url: URL): string[] {
  const address = (config.url ?? url).origin + config.basePath;
  return [operatorCommand(`runner register ${address}`), operatorCommand("runner start")];
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
