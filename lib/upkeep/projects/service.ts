import { mayCreateProjects } from "../../access/permissions.ts";
import { authorize } from "../../access/authorize.ts";
import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { forbidden } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { keys } from "../../kv/keys.ts";
import { transact } from "../../kv/transact.ts";
import { listProjectIds, setMember } from "../../access/members.ts";
import { allocateDefaults, insertDefaults } from "./defaults.ts";
import { deleteProject } from "./deletion.ts";
import { createDemoContent } from "./demo.ts";
import {
  getProjectEntry,
  getProjectRows,
  insertProject,
  listProjectRows,
} from "../../access/projects.ts";
import type { ProjectRow } from "../../access/rows.ts";
import type { NewProjectForm, ProjectForm, ProjectRole, ProjectView } from "./schema.ts";

export { deleteProject };

/** The projects that the actor may see, by name. */
export async function listProjects({ kv }: Deps, actor: Actor): Promise<ProjectView[]> {
  const rows = await visibleProjects(kv, actor);
  return rows.filter(({ deleting }) => !deleting).map(projectView)
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

function visibleProjects(kv: Deno.Kv, actor: Actor): Promise<ProjectRow[]> | ProjectRow[] {
  if (actor.kind !== "user") return [];
  return actor.admin
    ? listProjectRows(kv)
    : listProjectIds(kv, actor.id).then((ids) => getProjectRows(kv, ids));
}

/** One project. */
export async function getProject(deps: Deps, actor: Actor, id: number): Promise<ProjectView> {
  return projectView((await authorize(deps.kv, actor, id)).project);
}

/** What the actor is in a project: an admin may everything, member or not. */
export async function getProjectRole(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<ProjectRole> {
  const { role, permissions } = await authorize(deps.kv, actor, id);
  return { role, permissions };
}

/** Makes a project with the actor as its owner, a key for "no key", and an empty environment. */
export async function createProject(
  deps: Deps,
  actor: Actor,
  { demo, ...form }: NewProjectForm,
): Promise<ProjectView> {
  if (actor.kind !== "user" || !mayCreateProjects(deps.config, actor)) throw forbidden();
  const row: ProjectRow = {
    ...form,
    id: await nextId(deps.kv, "projects"),
    created: deps.clock.now().toISOString(),
  };
  const defaults = await allocateDefaults(deps.kv);
  await transact(deps.kv, (op) => {
    insertProject(op, row);
    setMember(op, { project_id: row.id, user_id: actor.id, role: "owner" });
    op.set(keys.ownersGuard(row.id), actor.id);
    insertDefaults(op, row.id, defaults);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  if (demo) await fillWithDemo(deps, actor, row);
  return projectView(row);
}

/** A demo project that cannot be filled is not kept half full. */
async function fillWithDemo(deps: Deps, actor: Actor, row: ProjectRow) {
  try {
    await createDemoContent(deps, actor, projectView(row));
  } catch (error) {
    await deleteProject(deps, actor, row.id, { force: true });
    throw error;
  }
}

/** Changes a project's name and settings. */
export async function updateProject(deps: Deps, actor: Actor, id: number, form: ProjectForm) {
  await authorize(deps.kv, actor, id, "update_project");
  await transact(deps.kv, async (op) => {
    const entry = await getProjectEntry(deps.kv, id);
    const row: ProjectRow = { ...entry.value, ...form };
    // Waiting tasks may be allowed to start now.
    op.check(entry).set(entry.key, row).set(keys.tasksWake(), id);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
  deps.wakeDispatcher();
}

const eventOf = (row: ProjectRow) =>
  ({ projectId: row.id, object: "project", id: row.id, name: row.name }) as const;

function projectView(row: ProjectRow): ProjectView {
  const { deleting: _, ...view } = row;
  return view;
}
