import type { AdminScope } from "../../access/scope.ts";
import { listProjectRows } from "../../model/projects.ts";
import { AppError, conflict } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordChange } from "../../events/record_change.ts";
import { nextId } from "../../store/ids.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import { listAllReferences, nameReferences, type References } from "../../store/references.ts";
import { transact } from "../../store/transact.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { toolchainRows } from "./repository.ts";
import {
  SERVER,
  type ServerToolchainForm,
  type ServerToolchainView,
  type ToolchainRow,
} from "./schema.ts";
import { toolchainView, withState } from "./service.ts";

/** The toolchains of the server, which every project can choose. */
export async function listServerToolchains(scope: AdminScope): Promise<ServerToolchainView[]> {
  const { kv } = scope.deps;
  const [rows, chosen] = await Promise.all([toolchainRows.list(kv, SERVER), readDefault(kv)]);
  return await Promise.all(rows.map((row) => viewOf(scope, row, chosen.value)));
}

/** Throws not found. */
export async function getServerToolchain(
  scope: AdminScope,
  id: number,
): Promise<ServerToolchainView> {
  const { kv } = scope.deps;
  const row = await toolchainRows.get(kv, SERVER, id);
  return await viewOf(scope, row, (await readDefault(kv)).value);
}

const readDefault = (kv: Store) => kv.get<number>(rowKeys.serverToolchain());

async function viewOf(
  { deps }: AdminScope,
  row: ToolchainRow,
  chosen: number | null,
): Promise<ServerToolchainView> {
  const is_default = chosen === row.id;
  const view = await withState(deps, toolchainView(row));
  return versioned({ ...view, is_default }, { ...row, is_default });
}

/** Galaxy servers need a key of a project. */
const NO_GALAXY = { galaxy_url: "", galaxy_key_id: null };

export async function createServerToolchain(
  scope: AdminScope,
  { is_default, ...form }: ServerToolchainForm,
): Promise<ServerToolchainView> {
  const { deps, actor } = scope;
  const id = await nextId(deps.kv, toolchainRows.kind);
  const row: ToolchainRow = { id, project_id: SERVER, ...form, ...NO_GALAXY };
  await transact(deps.kv, async (op) => {
    await chooseDefault(deps.kv, op, id, is_default);
    toolchainRows.plant(op, row);
    op.set(rowKeys.resourcesStamp("toolchains"), id);
    const states = { before: null, after: { ...row, is_default } };
    await recordChange(op, deps, actor, eventOf(row, "created"), states);
  });
  return await getServerToolchain(scope, id);
}

/** Throws not found, and 412 if the stored one is not `expected`. */
export async function updateServerToolchain(
  { deps, actor }: AdminScope,
  id: number,
  { is_default, ...form }: ServerToolchainForm,
  expected?: Expected,
): Promise<void> {
  const { kv } = deps;
  await transact(kv, async (op) => {
    const was = await chooseDefault(kv, op, id, is_default);
    let before: object | null = null;
    const row = await toolchainRows.update(kv, op, SERVER, id, (stored) => {
      before = { ...stored, is_default: was };
      requireVersion(before, expected);
      return { id, project_id: SERVER, ...form, ...NO_GALAXY };
    });
    op.set(rowKeys.tasksWake(), id);
    const states = { before, after: { ...row, is_default } };
    await recordChange(op, deps, actor, eventOf(row, "updated"), states);
  });
  deps.wakeDispatcher();
}

/** Adds to `op` whether a toolchain is the server's default. Returns whether it was. */
async function chooseDefault(
  kv: Store,
  op: Atomic,
  id: number,
  isDefault: boolean,
): Promise<boolean> {
  const chosen = await readDefault(kv);
  const was = chosen.value === id;
  op.check(chosen);
  if (isDefault && !was) op.set(chosen.key, id);
  if (was && !isDefault) op.delete(chosen.key);
  return was;
}

/** Throws 409 while it is used: by default, by a project, or by something in one. */
export async function deleteServerToolchain(
  { deps, actor }: AdminScope,
  id: number,
  expected?: Expected,
): Promise<void> {
  const { kv } = deps;
  const to: Ref = ["toolchains", id];
  await transact(kv, async (op) => {
    // Changes with each new use, so it is read before them.
    const guard = await kv.get(rowKeys.referenceGuard(SERVER, to));
    const row = await toolchainRows.get(kv, SERVER, id);
    const chosen = await readDefault(kv);
    const is_default = chosen.value === id;
    requireVersion({ ...row, is_default }, expected);
    if (is_default) throw conflict("errors.toolchains.of_server");
    await requireUnused(kv, id);
    op.check(guard).check(chosen).delete(guard.key).delete(rowKeys.toolchainBuild(SERVER, id));
    await toolchainRows.uproot(kv, op, row);
    await recordChange(op, deps, actor, eventOf(row, "deleted"), { before: row, after: null });
  });
}

async function requireUnused(kv: Store, id: number): Promise<void> {
  const users = (await listUsers(kv)).get(id);
  if (!users) return;
  const projects = users.slice(0, 5).map(({ name }) => name).join(", ");
  throw new AppError(409, "errors.toolchains.used", { projects });
}

/** A project that uses a toolchain of the server. */
interface UserProject {
  id: number;
  name: string;
  /** Whether it is the toolchain of the project itself. */
  isChosen: boolean;
  /** The templates and inventories that name it. */
  users: Ref[];
}

/** Returns the projects that use each toolchain, by its id. */
async function listUsers(kv: Store): Promise<Map<number, UserProject[]>> {
  const all = new Map<number, UserProject[]>();
  for (const { id, name, toolchain_id } of await listProjectRows(kv)) {
    const references = await listAllReferences(kv, id, "toolchains");
    for (const used of new Set([...references.keys(), toolchain_id ?? SERVER])) {
      const users = references.get(used) ?? [];
      const project = { id, name, isChosen: used === toolchain_id, users };
      all.set(used, [...all.get(used) ?? [], project]);
    }
  }
  all.delete(SERVER);
  return all;
}

/** Returns the names of the projects that use each toolchain, by its id. */
export async function listUserProjects({ deps }: AdminScope): Promise<Map<number, string[]>> {
  const names = (projects: UserProject[]) => projects.map(({ name }) => name);
  return new Map([...await listUsers(deps.kv)].map(([id, projects]) => [id, names(projects)]));
}

/** A project with everything in it that uses a toolchain of the server. */
export interface ProjectUse extends Pick<UserProject, "id" | "name" | "isChosen"> {
  usedBy: References;
}

/** Returns the uses of a toolchain, by project. */
export async function listServerUses({ deps: { kv } }: AdminScope, id: number) {
  const projects = (await listUsers(kv)).get(id) ?? [];
  return await Promise.all(projects.map(async ({ users, ...project }): Promise<ProjectUse> => ({
    ...project,
    usedBy: await nameReferences(kv, project.id, users),
  })));
}

const eventOf = ({ id, name }: ToolchainRow, action: string) =>
  ({ projectId: SERVER, object: "toolchain", id, name, action }) as const;
