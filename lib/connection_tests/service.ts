import type { ProjectScope } from "../access/scope.ts";
import { storeEvent } from "../events/record.ts";
import {
  fetchedPlaybooks,
  type PlaybookCache,
  type RepositoryContents,
} from "../execution/git/contents.ts";
import { findFetched } from "../execution/git/mirror.ts";
import type { InventoryContents } from "../execution/ansible/inventory/graph.ts";
import type { HostAnswers } from "../execution/ansible/inventory/ping.ts";
import type { PlanKey, RepositoryPlan } from "../execution/run/plan.ts";
import { invalidField } from "../base/errors.ts";
import { storeHostCount } from "../resources/inventories/host_counts.ts";
import { inventoryRows } from "../resources/inventories/repository.ts";
import type { InventoryForm } from "../resources/inventories/schema.ts";
import { listOwnKeyRows } from "../resources/own_keys/repository.ts";
import { openOwnKey } from "../resources/own_keys/secret.ts";
import { repositoryRows } from "../resources/repositories/repository.ts";
import type { RepositoryForm, RepositoryRow } from "../resources/repositories/schema.ts";
import { sealUrl } from "../resources/repositories/sealed_url.ts";
import { hostKeysOf } from "../resources/host_keys.ts";
import { inventoryKeys, listedKeys } from "../resources/common/key_list.ts";
import { keyOf } from "../resources/keys/plan_key.ts";
import { repositoryOf, repositoryPlan } from "../resources/run_resources.ts";
import { plannedToolchain } from "../resources/toolchains/plan.ts";
import { carryOut } from "./carry_out.ts";
import { keepListing } from "./listing.ts";
import { findRefNames, keepRefNames } from "./ref_names.ts";
import { withinLimits } from "./limits.ts";
import { memoryPart } from "../store/memory.ts";
import type { Store } from "../store/store.ts";

/** Scope of people who could do the same in a task, and read its output. */
type Manager = ProjectScope<"manage_resources">;

/** The branches of a stored repository. Throws 422 with a sentence if it cannot be reached. */
export async function listBranches(scope: Manager, id: number): Promise<string[]> {
  const { deps, projectId } = scope;
  const row = await repositoryRows.get(deps.kv, projectId, id);
  const plan = await repositoryPlan(deps, projectId, row);
  return await carryOut(scope, { kind: "branches", repository: plan });
}

/**
 * Branches of a stored repository, and the playbooks in `branch` or its own branch. Throws as
 * above.
 */
export async function repositoryChoices(
  scope: Manager,
  id: number,
  branch: string | null,
): Promise<RepositoryContents> {
  const { deps, projectId } = scope;
  const row = await repositoryRows.get(deps.kv, projectId, id);
  return await contentsOf(scope, await repositoryPlan(deps, projectId, row, { branch }), row);
}

/**
 * Playbooks of a stored repository as its last task or test has fetched them, with the branches and
 * tags that the last look has found. Asks the repository, as above, only if it lacks one of both.
 */
export async function fetchedChoices(
  scope: Manager,
  id: number,
  branch: string | null,
): Promise<RepositoryContents> {
  const { deps, projectId } = scope;
  const row = await repositoryRows.get(deps.kv, projectId, id);
  const plan = await repositoryPlan(deps, projectId, row, { branch });
  const [fetched, names] = await Promise.all([
    findFetched(deps.environment.dataDir, projectId, plan),
    findRefNames(scope, row),
  ]);
  if (!fetched || !names) return await contentsOf(scope, plan, row);
  const kept = playbookCache(deps.kv, id, plan.branch ?? "");
  const { hash: commit } = fetched;
  const known = kept.get(commit);
  if (known) return { ...names, playbooks: known, commit };
  const playbooks = await withinLimits(
    scope,
    (env, stop) => fetchedPlaybooks(env, projectId, plan, fetched, stop),
  );
  kept.set(commit, playbooks);
  return { ...names, playbooks, commit };
}

/**
 * Reads branches and playbooks of a typed repository, stored or not. The key's credentials are sent
 * to the typed address, as a task would do after saving, so an event records who did it.
 */
export async function testRepository(
  scope: Manager,
  form: RepositoryForm,
  id: number | null,
): Promise<RepositoryContents> {
  const { deps, actor, projectId } = scope;
  const stored = id === null ? null : await repositoryRows.get(deps.kv, projectId, id);
  const url = await sealUrl(deps.secrets, form.git_url, stored);
  const isStored = stored?.git_url === url.git_url && stored.ssh_key_id === form.ssh_key_id;
  const plan = await repositoryPlan(deps, projectId, {
    ...form,
    ...url,
    id: isStored ? stored.id : null,
  });
  await storeEvent(deps, actor, {
    projectId,
    object: "repository",
    id: id ?? 0,
    name: form.name,
    action: "tried",
    params: { url: url.git_url },
  });
  return await contentsOf(scope, plan, isStored ? stored : null);
}

/** Reads a repository, and keeps the names of its branches and tags if it is stored. */
async function contentsOf(
  scope: Manager,
  plan: RepositoryPlan,
  stored: RepositoryRow | null,
): Promise<RepositoryContents> {
  const kept = stored ? playbookCache(scope.deps.kv, stored.id, plan.branch ?? "") : undefined;
  const contents = await carryOut(scope, { kind: "contents", repository: plan }, { kept });
  if (stored && contents.commit !== null) await keepRefNames(scope, stored, contents);
  return contents;
}

/**
 * Groups and hosts of a stored inventory. Throws 422 with Ansible's message if it is not readable.
 */
export const inventoryHosts = async (scope: Manager, id: number): Promise<InventoryContents> =>
  await hostsOf(scope, await inventoryRows.get(scope.deps.kv, scope.projectId, id), id);

/**
 * Reads groups and hosts of a typed inventory, stored or not. Reading one can run programs, as in a
 * task, so an event records who did it.
 */
export async function testInventory(
  scope: Manager,
  form: InventoryForm,
  id: number | null,
): Promise<InventoryContents> {
  await recordTest(scope, form, id, "tried");
  return await hostsOf(scope, form, id);
}

/**
 * Pings the hosts of a typed inventory with the chosen keys, as a task would. An event records who
 * did it.
 */
export async function pingInventory(
  scope: Manager,
  form: InventoryForm,
  id: number | null,
): Promise<HostAnswers> {
  const { deps, projectId } = scope;
  await recordTest(scope, form, id, "pinged");
  const [userKeys, becomeKey] = await Promise.all([
    form.own_key
      ? { userKey: await firstOwnKey(scope) }
      : hostKeysOf(deps, projectId, listedKeys(inventoryKeys(form))),
    keyOf(deps, projectId, form.become_key_id),
  ]);
  const { toolchain, ...plain } = await plainInventory(scope, form);
  const inventory = { ...plain, ...userKeys, becomeKey };
  const refusal = form.own_key ? "errors.personal.ping_on_runner" : undefined;
  return await carryOut(scope, { kind: "ping", inventory, ...toolchain && { toolchain } }, {
    labels: form.runner_labels,
    refusal,
  });
}

/** The key with which the tester would start a task. Throws 400 if there is none. */
async function firstOwnKey({ deps: { kv, secrets }, actor }: Manager): Promise<PlanKey> {
  const [row] = actor.kind === "user" ? await listOwnKeyRows(kv, actor.id) : [];
  if (!row) throw invalidField("own_key", "errors.personal.no_key");
  return await openOwnKey(secrets, row);
}

const recordTest = (
  { deps, actor, projectId }: Manager,
  { name }: InventoryForm,
  id: number | null,
  action: "tried" | "pinged",
) => storeEvent(deps, actor, { projectId, object: "inventory", id: id ?? 0, name, action });

/** Part of the time of a test. */
const INSTALL_MS = 45_000;

/** Reads an inventory. The list shows the number of hosts if `id` is stored in the same way. */
async function hostsOf(
  scope: Manager,
  form: InventoryText,
  id: number | null,
): Promise<InventoryContents> {
  const { deps: { kv }, projectId } = scope;
  const stored = id === null ? null : await inventoryRows.find(kv, projectId, id);
  const inventory = { ...await plainInventory(scope, form), installMs: INSTALL_MS };
  const contents = await carryOut(scope, { kind: "hosts", inventory }, {
    labels: form.runner_labels,
  });
  const isStored = (["type", "inventory", "repository_id"] as const).every((name) =>
    stored?.row[name] === form[name]
  );
  if (stored && isStored) {
    await storeHostCount(kv, stored, contents.hosts);
    if (stored.row.type === "file") await keepListing(scope, stored.row, contents);
  }
  return contents;
}

type InventoryText =
  & Pick<InventoryForm, "type" | "inventory" | "repository_id">
  & Partial<Pick<InventoryForm, "runner_labels" | "toolchain_id">>;

/** An inventory with the Ansible that a task of a template without one of its own would use. */
async function plainInventory(
  { deps, project, projectId }: Manager,
  { type, inventory: content, repository_id, toolchain_id }: InventoryText,
) {
  if (type === "file" && repository_id === null) {
    throw invalidField("repository_id", "errors.connection_tests.inventory_repository");
  }
  const repository = repository_id && await repositoryOf(deps, projectId, repository_id);
  return {
    ...{ type, content, repository: repository || null },
    ...await plannedToolchain(deps, projectId, [{ toolchain_id }, project]),
  };
}

/** Playbooks in the latest commit of each branch, least recently stored first. */
type Found = Map<string, { commit: string; playbooks: string[] }>;

const found = memoryPart("found playbooks", (): Found => new Map());
const KEPT_MAX = 200;

/**
 * Cache of the playbooks in a stored repository's branch, valid while its commit stays the same.
 */
function playbookCache(kv: Store, repositoryId: number, branch: string): PlaybookCache {
  const kept = found.of(kv);
  const name = `${repositoryId} ${branch}`;
  return {
    get(commit) {
      const last = kept.get(name);
      return last?.commit === commit ? last.playbooks : undefined;
    },
    set(commit, playbooks) {
      kept.delete(name);
      kept.set(name, { commit, playbooks });
      if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    },
  };
}
