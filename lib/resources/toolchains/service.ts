import type { Deps } from "../../access/deps.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { conflict } from "../../base/errors.ts";
import type { Expected } from "../../base/version.ts";
import { builtVersion } from "../../execution/ansible/toolchains/toolchain.ts";
import { rowKeys } from "../../store/keys.ts";
import type { SortParams } from "../../references/sort.ts";
import { requirePasswordKeys } from "../common/key_rules.ts";
import { resourceService } from "../common/service.ts";
import { toolchainPlan } from "./plan.ts";
import { toolchainRows } from "./repository.ts";
import {
  type BuildRow,
  SERVER,
  SILENT_BUILD_MS,
  type ToolchainForm,
  type ToolchainRow,
  type ToolchainView,
} from "./schema.ts";
import { findProjectEntry } from "../../model/projects.ts";

const toolchains = resourceService<ToolchainRow, ToolchainView, ToolchainForm>({
  rows: toolchainRows,
  event: ({ name }) => ({ object: "toolchain", name }),
  view: toolchainView,
  fields: (_scope, form) => form,
  targets: ({ galaxy_key_id }) => ({
    galaxy_key_id: galaxy_key_id ? ["keys", galaxy_key_id] : null,
  }),
  // Tasks may wait for a runner that has what it needs.
  onChange: (op, { id }) => op.set(rowKeys.tasksWake(), id),
  checkTargets: (_row, targets) => requirePasswordKeys(targets, ["galaxy_key_id"]),
});

/** A toolchain as the API returns it, before anyone has looked whether it is built. */
export function toolchainView(row: ToolchainRow): ToolchainView {
  const { kind, project_id } = row;
  return {
    ...row,
    project_id: project_id === SERVER ? null : project_id,
    state: kind === "built" ? "missing" : null,
    ansible_version: null,
  };
}

/** Adds to a view whether this server has built it. */
export async function withState(
  { environment, kv, clock }: Pick<Deps, "environment" | "kv" | "clock">,
  view: ToolchainView,
): Promise<ToolchainView> {
  if (view.kind !== "built") return view;
  const project_id = view.project_id ?? SERVER;
  const [ansible_version, { value: last }] = await Promise.all([
    builtVersion(environment, toolchainPlan({ ...view, project_id })),
    kv.get<BuildRow>(rowKeys.toolchainBuild(project_id, view.id)),
  ]);
  const isBuilding = last?.state === "building" &&
    clock.now().getTime() - last.at < SILENT_BUILD_MS;
  // One that is silent has ended with its server.
  const unbuilt = last && last.state !== "ready" ? "failed" : "missing";
  const state = isBuilding ? "building" : ansible_version ? "ready" : unbuilt;
  // Not a copy, which would have no version.
  return Object.assign(view, { state, ansible_version });
}

export const toolchainService = {
  ...toolchains,

  /** Those of the project, then those of the server, which the project can choose, too. */
  async list(scope: ProjectScope, sort?: SortParams): Promise<ToolchainView[]> {
    const { deps } = scope;
    const [own, shared] = await Promise.all([
      toolchains.list(scope, sort),
      toolchainRows.list(deps.kv, SERVER),
    ]);
    const views = [...own, ...shared.map(toolchainView)];
    return await Promise.all(views.map((view) => withState(deps, view)));
  },

  async get(scope: ProjectScope, id: number): Promise<ToolchainView> {
    return await withState(scope.deps, await toolchains.get(scope, id));
  },

  async create(scope: ProjectScope<"manage_resources">, form: ToolchainForm) {
    return await withState(scope.deps, await toolchains.create(scope, form));
  },

  async update(
    scope: ProjectScope<"manage_resources">,
    id: number,
    form: ToolchainForm,
    expected?: Expected,
  ): Promise<void> {
    await toolchains.update(scope, id, form, expected);
    scope.deps.wakeDispatcher();
  },

  /** Throws 409 also while it is the project's. */
  async delete(
    scope: ProjectScope<"manage_resources">,
    id: number,
    expected?: Expected,
  ): Promise<void> {
    await toolchains.remove(scope, id, expected, async (usedBy, op) => {
      const { kv } = scope.deps;
      const project = await findProjectEntry(kv, scope.projectId);
      if (project.value?.toolchain_id === id) throw conflict("errors.toolchains.of_project");
      op.check(project).delete(rowKeys.toolchainBuild(scope.projectId, id));
      return usedBy;
    });
  },
};

/** The names of what `toolchainService.list` returns, without looking what is built. */
export async function listChoosable(scope: ProjectScope): Promise<{ id: number; name: string }[]> {
  const { kv } = scope.deps;
  const [own, all] = await Promise.all([
    toolchainRows.list(kv, scope.projectId),
    toolchainRows.list(kv, SERVER),
  ]);
  return [...own, ...all].map(({ id, name }) => ({ id, name }));
}
