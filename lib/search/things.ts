import type { ProjectScope } from "../access/scope.ts";
import { type Sight, sightOf } from "../access/sight.ts";
import { createPause } from "../base/time/pause.ts";
import { withUserinfo } from "../execution/git/userinfo.ts";
import { hostsInOrder } from "../hosts/list.ts";
import { listSeenHosts } from "../hosts/seen.ts";
import { isRuledKind } from "../model/access_rule.ts";
import { cachedWhile } from "../store/cached.ts";
import { RESOURCE_KINDS, rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { environmentRows } from "../resources/environments/repository.ts";
import { gitCredentialRows } from "../resources/git_credentials/repository.ts";
import { inventoryRows } from "../resources/inventories/repository.ts";
import { keyRows } from "../resources/keys/repository.ts";
import { workflowRows } from "../workflows/repository.ts";
import { repositoryRows } from "../resources/repositories/repository.ts";
import { listMembers } from "../people/team/service.ts";
import { templateRows } from "../templates/repository.ts";
import { viewRows } from "../templates/views/repository.ts";
import { integrationRows } from "../triggers/integrations/repository.ts";
import { scheduleRows } from "../triggers/schedules/repository.ts";
import { targetNames } from "../triggers/target_names.ts";
import type { TriggerTarget } from "../triggers/trigger_target.ts";
import { hostsOf } from "../resources/inventories/static_hosts.ts";
import type { SearchKind } from "./schema.ts";

/** An object with a name, and further texts in which it may be found. */
export interface Thing {
  kind: SearchKind;
  id: number;
  name: string;
  beside: string[];
  /** Template that a trigger starts. Its page is shown if the trigger has none. */
  templateId?: number;
  /** The same for a workflow. */
  workflowId?: number;
}

/** The hosts that one inventory names. */
interface InventoryHosts {
  id: number;
  name: string;
  hosts: string[];
}

/** Returns the objects with a name that the actor sees, sorted by name. */
export async function namedThings(scope: ProjectScope): Promise<Thing[]> {
  const [sight, all] = await Promise.all([sightOf(scope), allNamedThings(scope)]);
  return sight.isNarrowed ? all.filter((thing) => isSeen(sight, thing)) : all;
}

function isSeen(sight: Sight, { kind, id, templateId, workflowId }: Thing): boolean {
  return isRuledKind(kind)
    ? sight.maySee(kind, id)
    : sight.maySeeTarget({ template_id: templateId, workflow_id: workflowId });
}

/**
 * Returns all objects of the project that have a name, sorted by name. Cached until one changes.
 */
export function allNamedThings({ deps: { kv }, projectId }: ProjectScope): Promise<Thing[]> {
  const stamps = RESOURCE_KINDS.map((kind) => rowKeys.resourcesStamp(kind));
  return cachedWhile(kv, stamps, `names of ${projectId}`, () => readThings(kv, projectId));
}

async function readThings(kv: Store, projectId: number): Promise<Thing[]> {
  const list = <Row>(rows: { list(kv: Store, projectId: number): Promise<Row[]> }) =>
    rows.list(kv, projectId);
  const [integrations, schedules] = [await list(integrationRows), await list(scheduleRows)];
  const nameOf = await targetNames(kv, projectId, [...integrations, ...schedules]);
  const things = [
    ...await templateRows.pick(
      kv,
      projectId,
      ({ id, name, description, playbook }) =>
        thing("templates", id, name, [playbook, description]),
    ),
    ...(await list(workflowRows)).map(({ id, name, description }) =>
      thing("workflows", id, name, [description])
    ),
    ...(await list(inventoryRows)).map(({ id, name, type, inventory }) =>
      thing("inventories", id, name, type === "file" ? [inventory] : [])
    ),
    ...(await list(environmentRows)).map(({ id, name }) => thing("environments", id, name)),
    ...(await list(keyRows)).map(({ id, name }) => thing("keys", id, name)),
    ...(await list(repositoryRows)).map(({ id, name, git_url }) =>
      thing("repositories", id, name, [withUserinfo(git_url, null)])
    ),
    ...(await list(gitCredentialRows)).map(({ id, host }) => thing("git_credentials", id, host)),
    ...(await list(viewRows)).map(({ id, title }) => thing("views", id, title)),
    ...integrations.map((row) => ({
      ...thing("integrations", row.id, row.name, [nameOf(row)]),
      ...targetOf(row),
    })),
    ...schedules.map((row) => ({
      ...thing("schedules", row.id, row.name || nameOf(row), [row.cron_format, nameOf(row)]),
      ...targetOf(row),
    })),
  ];
  return things.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id);
}

const targetOf = ({ template_id, workflow_id }: TriggerTarget): Partial<Thing> =>
  workflow_id ? { workflowId: workflow_id } : { templateId: template_id ?? undefined };

const { compare } = new Intl.Collator("en", { numeric: true });

const thing = (
  kind: SearchKind,
  id: number,
  name: string,
  beside: (string | null)[] = [],
): Thing => ({
  kind,
  id,
  name,
  beside: beside.filter((text) => text !== null && text !== "") as string[],
});

/** Returns the project's members. They are few, and change without a stamp. */
export async function memberThings(scope: ProjectScope): Promise<Thing[]> {
  const members = await listMembers(scope);
  return members.map(({ id, name, username }) => thing("members", id, name, [username]));
}

/** Limits of inventory texts and hosts, because parsing takes time and cached hosts take memory. */
const INVENTORIES_LENGTH_MAX = 2 * 1024 * 1024;
const HOSTS_MAX = 50_000;

/**
 * Returns the hosts of the project's static inventories, parsed again only after an inventory
 * changed.
 */
export function searchableHosts({ deps: { kv }, projectId }: ProjectScope) {
  const stamps = [rowKeys.resourcesStamp("inventories")];
  return cachedWhile(kv, stamps, `hosts of ${projectId}`, () => readHosts(kv, projectId));
}

/** Returns the names of the hosts that tasks which the actor sees have reached. */
export async function reachedHosts(scope: ProjectScope) {
  const { deps: { kv }, projectId } = scope;
  const sight = await sightOf(scope);
  if (!sight.seesAll) {
    const { hosts, isAll } = await listSeenHosts(scope, sight);
    return { names: new Set(hosts.map(({ name }) => name)), isAll };
  }
  const { positions, isAll } = await hostsInOrder(kv, projectId, "name");
  return { names: new Set(positions.map(({ name }) => name)), isAll };
}

async function readHosts(kv: Store, projectId: number) {
  const lists: InventoryHosts[] = [];
  const pause = createPause();
  let [length, count] = [0, 0];
  for (const { id, name, type, inventory } of await inventoryRows.list(kv, projectId)) {
    if (type === "file") continue;
    length += inventory.length;
    if (length > INVENTORIES_LENGTH_MAX || count >= HOSTS_MAX) return { lists, isAll: false };
    if (pause.isDue()) await pause.take();
    const hosts = hostsOf(type, inventory, HOSTS_MAX - count);
    count += hosts.length;
    lists.push({ id, name, hosts });
  }
  return { lists, isAll: count < HOSTS_MAX };
}
