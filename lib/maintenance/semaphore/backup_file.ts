import { uniqueNames } from "../backup/names.ts";
import type { RestoreSecrets } from "../backup/fill_secrets.ts";
import type { SentBackup } from "../backup/schema.ts";
import type { Item, SourceIntegration, SourceProject } from "./source.ts";

/** Names of the rows of each kind in the file, by their ids. */
export type FileNames = Record<
  "keys" | "environments" | "views" | "repositories" | "inventories" | "templates" | "workflows",
  Names
>;

/**
 * Converts a project of another server to a backup file, with the known secrets beside it. `users`
 * are the accounts of that server, which approvals name by id.
 */
export function backupOf(
  source: SourceProject,
  users: Item[] = [],
): { file: SentBackup; secrets: RestoreSecrets; names: FileNames } {
  const names = {
    keys: namesOf(source.keys),
    environments: namesOf(source.environments),
    views: namesOf(source.views.map((view) => ({ ...view, name: view.title }))),
    repositories: namesOf(source.repositories),
    inventories: namesOf(source.inventories),
    templates: namesOf(source.templates),
    workflows: namesOf(source.workflows),
  };
  const renamed = (kind: keyof typeof names, item: Item) => ({
    ...item,
    ...names[kind].get(Number(item.id)),
  });
  const refer = (kind: keyof typeof names, id: unknown) => {
    if (id === null || id === undefined || id === 0) return null;
    // A broken reference is left out by the restore, which reports this name.
    return names[kind].get(Number(id))?.name ?? `${kind} ${id}`;
  };
  const inventoryOf = ({ task_params }: Item) =>
    refer("inventories", (task_params as Item | null)?.inventory_id);

  const ruleOf = ruleReader(users);
  const { id: _, ...meta } = source.project;
  const file = {
    meta,
    keys: source.keys.map((key) => keyEntry(key, names.keys, refer)),
    environments: source.environments.map((environment) => ({
      ...renamed("environments", environment),
      secrets: secretsOf(environment).map(({ type, name }) => ({ type, name })),
    })),
    views: source.views.map((view) => ({
      ...renamed("views", view),
      title: names.views.get(Number(view.id))?.name,
    })),
    repositories: source.repositories.map((repository) => ({
      ...renamed("repositories", repository),
      ssh_key: refer("keys", repository.ssh_key_id),
    })),
    inventories: source.inventories.map((inventory) => ({
      ...renamed("inventories", inventory),
      ...inventoryReferences(inventory, refer),
    })),
    templates: source.templates.map((template) => ({
      ...renamed("templates", template),
      ...templateReferences(template, refer),
      approval: ruleOf(template),
    })),
    workflows: source.workflows.map((workflow) => ({
      ...renamed("workflows", workflow),
      build_template: refer("templates", workflow.build_template_id),
      ...workflowSteps(workflow, (step) => stepEntry(step, refer, ruleOf)),
    })),
    schedules: source.schedules.map((schedule) => ({
      ...schedule,
      template: refer("templates", schedule.template_id),
      workflow: refer("workflows", schedule.workflow_id),
      repository: refer("repositories", schedule.repository_id),
      inventory: inventoryOf(schedule),
    })),
    integrations: source.integrations.map((entry) => integrationEntry(entry, refer, inventoryOf)),
    integration_aliases: source.aliases,
  };
  return { file: file as unknown as SentBackup, secrets: knownSecrets(source, names), names };
}

type Names = ReturnType<typeof uniqueNames>;
type Refer = (kind: keyof FileNames, id: unknown) => string | null;

const namesOf = (items: Item[]): Names =>
  uniqueNames(items.map(({ id, name }) => ({ id: Number(id), name: String(name ?? "") })));

/** A key without its secret. Only Callboard has certificates and options. */
function keyEntry({ id, type, certificate, ssh_options }: Item, names: Names, refer: Refer) {
  const { jump, ...options } = (ssh_options ?? {}) as Item;
  const { key_id, ...host } = (jump ?? {}) as Item;
  const way = jump ? { ...options, jump: { ...host, key: refer("keys", key_id) } } : options;
  return {
    ...names.get(Number(id)),
    type,
    certificate: certificate || null,
    ssh_options: ssh_options ? way : null,
  };
}

/** The keys of an inventory or a template of Callboard, each with its hosts; null for none. */
function keyList({ ssh_key_ids, ssh_key_hosts }: Item, refer: Refer) {
  const ids = listOf(ssh_key_ids);
  if (ids.length === 0) return null;
  const hosts = (ssh_key_hosts ?? {}) as Item;
  return ids.map((id) => ({ key: refer("keys", id), hosts: hosts[String(id)] ?? null }));
}

const inventoryReferences = (inventory: Item, refer: Refer) => ({
  ssh_key: refer("keys", inventory.ssh_key_id),
  ssh_keys: keyList(inventory, refer),
  become_key: refer("keys", inventory.become_key_id),
  repository: refer("repositories", inventory.repository_id),
});

/** References of a template by name. Its schedules are in a separate list. */
const templateReferences = (template: Item, refer: Refer) => ({
  repository: refer("repositories", template.repository_id),
  inventory: refer("inventories", template.inventory_id),
  environment: refer("environments", template.environment_id),
  environments: listOf(template.environment_ids).flatMap((id) => refer("environments", id) ?? []),
  view: refer("views", template.view_id),
  build_template: refer("templates", template.build_template_id),
  vault_key: refer("keys", template.vault_key_id),
  ssh_keys: keyList(template, refer),
  vaults: ((template.vaults ?? []) as Item[]).map((vault) => ({
    ...vault,
    vault_key: refer("keys", vault.vault_key_id),
  })),
  cron: null,
});

/**
 * Steps of a workflow of Callboard, or else the nodes of Semaphore, converted by `convert`. Notes
 * are among the nodes of both.
 */
function workflowSteps({ steps, nodes }: Item, convert: (step: Item) => Item) {
  const all = (listOf(nodes) as Item[]).map(({ workflow_template_id: _, ...node }) => node);
  if (!Array.isArray(steps)) {
    return { nodes: all.map((node) => node.kind === "note" ? node : convert(node)) };
  }
  const notes = all.filter(({ kind }) => kind === "note");
  return { steps: steps.map(convert), notes, nodes: null, edges: null };
}

/** A step or a node with its references by name. */
function stepEntry(step: Item, refer: Refer, ruleOf: ReturnType<typeof ruleReader>): Item {
  const task_params = (step.params ?? step.task_params ?? null) as Item | null;
  return {
    ...step,
    template: refer("templates", step.template_id),
    workflow: refer("workflows", step.workflow_id),
    inventory: refer("inventories", step.inventory_id ?? task_params?.inventory_id),
    task_params,
    approval: ruleOf(step),
  };
}

/** Returns a function that reads who approves something, with usernames instead of ids. */
function ruleReader(users: Item[]) {
  const usernames = new Map(users.map(({ id, username }) => [Number(id), String(username)]));
  // The restore leaves out unknown people, and then makes the rule stricter.
  const nameOf = (id: unknown) => usernames.get(Number(id)) ?? `user ${id}`;
  return ({ approval }: Item) =>
    approval && { ...approval, users: listOf((approval as Item).user_ids).map(nameOf) };
}

const integrationEntry = (
  { integration, matchers, values, aliases }: SourceIntegration,
  refer: Refer,
  inventoryOf: (item: Item) => string | null,
) => ({
  ...integration,
  template: refer("templates", integration.template_id),
  workflow: refer("workflows", integration.workflow_id),
  auth_secret: refer("keys", integration.auth_secret_id),
  inventory: inventoryOf(integration),
  matchers,
  extract_values: values,
  aliases,
});

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value : [];

const secretsOf = ({ secrets }: Item) =>
  listOf(secrets) as { type: string; name: string; secret?: string }[];

function knownSecrets(
  { keys, environments }: SourceProject,
  names: Record<"keys" | "environments", Names>,
): RestoreSecrets {
  return {
    keys: new Map(keys.map((key) => [names.keys.get(Number(key.id))!.name, key])),
    variables: new Map(
      environments.map((environment) => [
        names.environments.get(Number(environment.id))!.name,
        new Map(
          secretsOf(environment).filter(({ secret }) => secret)
            .map(({ type, name, secret }) => [`${type}.${name}`, secret!]),
        ),
      ]),
    ),
  };
}
