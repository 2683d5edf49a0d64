import { maskForClients, namesIn } from "../../access/permissions.ts";
import type { UserActor } from "../../access/actor.ts";
import {
  type CreatorScope,
  isAdmins,
  openProject,
  type ProjectScope,
  type UserScope,
  withPermission,
} from "../../access/scope.ts";
import { tokenLimitsOf } from "../../access/token_scopes.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { nextId } from "../../store/ids.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import { findTarget, holdTarget } from "../../store/references.ts";
import { readTargets } from "../../references/service.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { listProjectIds, setMember } from "../../access/members.ts";
import { freeName } from "../backup/names.ts";
import { deleteProject } from "./deletion.ts";
import { createDemoContent } from "./demo.ts";
import {
  getProjectEntry,
  getProjectRows,
  insertProject,
  listProjectRows,
} from "../../model/projects.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import type { NewProjectForm, ProjectForm, ProjectRole, ProjectView } from "./schema.ts";
import type { EnvironmentRow } from "../../resources/environments/schema.ts";
import type { KeyRow } from "../../resources/keys/schema.ts";

/** The projects that the actor may see, by name. */
export async function listProjects({ deps, actor }: UserScope): Promise<ProjectView[]> {
  const rows = await visibleProjects(deps.kv, actor);
  return rows.filter(({ deleting }) => !deleting).map(projectView)
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

async function visibleProjects(kv: Store, actor: UserActor): Promise<ProjectRow[]> {
  const { ofProject } = actor.credential;
  if (ofProject) return await getProjectRows(kv, [ofProject.id]);
  const rows = isAdmins(actor)
    ? await listProjectRows(kv)
    : await getProjectRows(kv, await listProjectIds(kv, actor.id));
  const only = tokenLimitsOf(actor)?.project_ids;
  return only ? rows.filter(({ id }) => only.includes(id)) : rows;
}

/** Name of a demo project for which nobody has typed one. */
export const DEMO_NAME = "Demo Project";

/** Returns a name for a demo project that none of the actor's projects has. */
export async function freeDemoName(scope: UserScope): Promise<string> {
  return freeName(DEMO_NAME, new Set((await listProjects(scope)).map(({ name }) => name)));
}

export const getProject = ({ project }: ProjectScope): ProjectView => projectView(project);

/** The actor's role and permissions in a project. An admin has all permissions, member or not. */
export const getProjectRole = ({ role, permissions }: ProjectScope): ProjectRole => ({
  role,
  permissions: maskForClients(permissions),
  granted: namesIn(permissions),
});

/** Creates a project with the actor as its owner, a key for "no key", and an empty environment. */
export async function createProject(
  scope: CreatorScope,
  { demo, ...form }: NewProjectForm,
): Promise<ProjectView> {
  const { deps, actor } = scope;
  const row: ProjectRow = {
    ...form,
    id: await nextId(deps.kv, "projects"),
    created: deps.clock.now().toISOString(),
  };
  const defaults = await allocateDefaults(deps.kv);
  await transact(deps.kv, async (op) => {
    insertProject(op, row);
    setMember(op, { project_id: row.id, user_id: actor.id, role: "owner" });
    op.set(rowKeys.ownersGuard(row.id), actor.id);
    insertDefaults(op, row.id, defaults);
    const event = { ...eventOf(row), action: "created" };
    await recordChange(op, deps, actor, event, { before: null, after: row });
  });
  if (demo) await fillWithDemo(scope, row);
  return projectView(row);
}

/** Adds the demo content. Deletes the project again if that fails. */
async function fillWithDemo(scope: CreatorScope, { id }: ProjectRow) {
  try {
    const opened = await openProject(scope, id, "manage_resources");
    await createDemoContent(withPermission(opened, "manage_keys"));
  } catch (error) {
    await deleteProject(await openProject(scope, id, "update_project"), { force: true });
    throw error;
  }
}

/**
 * Changes a project's name and settings, or some of them. Throws 412 if the stored project is not
 * `expected`.
 */
export async function updateProject(
  { deps, actor, projectId: id }: ProjectScope<"update_project">,
  form: Partial<ProjectForm>,
  expected?: Expected,
) {
  await transact(deps.kv, async (op) => {
    const entry = await getProjectEntry(deps.kv, id);
    requireVersion(entry.value, expected);
    const { toolchain_id = entry.value.toolchain_id } = form;
    const row: ProjectRow = { ...entry.value, ...form, toolchain_id };
    if (toolchain_id) await holdToolchain(deps.kv, op, id, toolchain_id);
    // Waiting tasks may be allowed to start now.
    op.check(entry).set(entry.key, row).set(rowKeys.tasksWake(), id);
    const event = { ...eventOf(row), action: "updated" };
    await recordChange(op, deps, actor, event, { before: entry.value, after: row });
  });
  deps.wakeDispatcher();
}

/** Throws 404 for a toolchain that the project does not have. */
async function holdToolchain(kv: Store, op: Atomic, projectId: number, id: number) {
  const to: Ref = ["toolchains", id];
  await readTargets(kv, op, projectId, { toolchain_id: to });
  holdTarget(op, await findTarget(kv, projectId, to), to);
}

const eventOf = (row: ProjectRow) =>
  ({ projectId: row.id, object: "project", id: row.id, name: row.name }) as const;

function projectView(row: ProjectRow): ProjectView {
  const { deleting: _, host_authorities: __, only_runners, toolchain_id = null, ...view } = row;
  return versioned({ ...view, only_runners: only_runners ?? false, toolchain_id }, row);
}

/** Ids of the rows that every new project has. */
interface ProjectDefaults {
  keyId: number;
  environmentId: number;
}

/** Allocates the ids of a new project's key and environment. */
async function allocateDefaults(kv: Store): Promise<ProjectDefaults> {
  return { keyId: await nextId(kv, "keys"), environmentId: await nextId(kv, "environments") };
}

/** Adds the rows of every new project to `op`: a key for "no key", and an empty environment. */
function insertDefaults(
  op: Atomic,
  projectId: number,
  { keyId, environmentId }: ProjectDefaults,
): void {
  const key: KeyRow = {
    id: keyId,
    project_id: projectId,
    name: "None",
    type: "none",
    secret: null,
  };
  const environment: EnvironmentRow = {
    id: environmentId,
    project_id: projectId,
    name: "Empty",
    json: "{}",
    env: null,
    password: null,
    secrets: [],
  };
  op.set(rowKeys.resource("keys", projectId, keyId), key)
    .set(rowKeys.resource("environments", projectId, environmentId), environment);
}
