import { uniqueNames } from "../backup/names.ts";
import type { RestoreSecrets } from "../backup/fill_secrets.ts";
import type { SentBackup } from "../backup/schema.ts";
import type { Item, SourceIntegration, SourceProject } from "./source.ts";

/** Names of the rows of each kind in the file, by their ids. */
export type FileNames = Record<
  "keys" | "environments" | "views" | "repositories" | "inventories" | "templates",
  Names
>;

/** Converts a project of another server to a backup file, with the known secrets beside it. */
export function backupOf(
  source: SourceProject,
): { file: SentBackup; secrets: RestoreSecrets; names: FileNames } {
  const names = {
    keys: namesOf(source.keys),
    environments: namesOf(source.environments),
    views: namesOf(source.views.map((view) => ({ ...view, name: view.title }))),
    repositories: namesOf(source.repositories),
    inventories: namesOf(source.inventories),
    templates: namesOf(source.templates),
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

  const { id: _, ...meta } = source.project;
  const file = {
    meta,
    keys: source.keys.map(({ id, type }) => ({ ...names.keys.get(Number(id)), type })),
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
      ssh_key: refer("keys", inventory.ssh_key_id),
      become_key: refer("keys", inventory.become_key_id),
      repository: refer("repositories", inventory.repository_id),
    })),
    templates: source.templates.map((template) => ({
      ...renamed("templates", template),
      ...templateReferences(template, refer),
    })),
    schedules: source.schedules.map((schedule) => ({
      ...schedule,
      template: refer("templates", schedule.template_id),
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

/** References of a template by name. Its schedules are in a separate list. */
const templateReferences = (template: Item, refer: Refer) => ({
  repository: refer("repositories", template.repository_id),
  inventory: refer("inventories", template.inventory_id),
  environment: refer("environments", template.environment_id),
  environments: listOf(template.environment_ids).flatMap((id) => refer("environments", id) ?? []),
  view: refer("views", template.view_id),
  build_template: refer("templates", template.build_template_id),
  vault_key: refer("keys", template.vault_key_id),
  vaults: ((template.vaults ?? []) as Item[]).map((vault) => ({
    ...vault,
    vault_key: refer("keys", vault.vault_key_id),
  })),
  cron: null,
});

const integrationEntry = (
  { integration, matchers, values, aliases }: SourceIntegration,
  refer: Refer,
  inventoryOf: (item: Item) => string | null,
) => ({
  ...integration,
  template: refer("templates", integration.template_id),
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
