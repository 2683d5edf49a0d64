import type { SecretBox } from "../../access/secret_box.ts";
import { reveal } from "../../base/secret.ts";
import { ConfigError } from "../../base/settings.ts";
import type { Item, SourceIntegration, SourceProject } from "./source.ts";
import type { ForeignDatabase } from "./sqlite_database.ts";

/**
 * Reads a project with everything in it. Throws ConfigError if it does not exist. Secrets are
 * imported if `box` has the key that sealed them. With null they were stored in clear.
 */
export async function readSqliteProject(
  database: ForeignDatabase,
  projectId: number,
  box: SecretBox | null,
): Promise<SourceProject> {
  const { db, rows } = database;
  const of = (table: string) => rows(`project__${table}`, "project_id", projectId);
  const [project] = rows("project", "id", projectId);
  if (!project) throw new ConfigError(`Project ${projectId} does not exist.`);
  const opened: Item[] = [];
  for (const row of rows("access_key", "project_id", projectId)) {
    opened.push(await openKey(row, box));
  }
  const vaults = of("template_vault");
  return {
    project,
    keys: opened.filter(({ environment_id }) => !environment_id),
    repositories: of("repository"),
    inventories: of("inventory"),
    environments: of("environment").map((environment) => ({
      ...environment,
      secrets: opened.filter((key) => key.environment_id === environment.id).map(
        secretVariable,
      ),
    })),
    views: of("view"),
    templates: of("template").map((template) => ({
      ...template,
      vaults: vaults.filter(({ template_id }) => template_id === template.id),
    })),
    schedules: of("schedule"),
    integrations: integrationsOf(database, projectId),
    aliases: aliasesOf(database, "project_id", projectId, ({ integration_id }) => !integration_id),
    members: db.prepare(
      'SELECT u.username, m.role FROM project__user m JOIN "user" u ON u.id = m.user_id ' +
        "WHERE m.project_id = ?",
    ).all(projectId) as { username: string; role: string }[],
  };
}

function integrationsOf(database: ForeignDatabase, projectId: number): SourceIntegration[] {
  const { rows } = database;
  return rows("project__integration", "project_id", projectId).map((integration) => {
    const id = Number(integration.id);
    return {
      integration,
      matchers: rows("project__integration_matcher", "integration_id", id),
      values: rows("project__integration_extract_value", "integration_id", id),
      aliases: aliasesOf(database, "integration_id", id),
    };
  });
}

const aliasesOf = (
  { rows }: ForeignDatabase,
  column: string,
  id: number,
  which: (row: Item) => boolean = () => true,
) => rows("project__integration_alias", column, id).filter(which).map(({ alias }) => String(alias));

/** A key with its secret in the form of the API, or without a secret that cannot be opened. */
async function openKey({ secret, ...key }: Item, box: SecretBox | null): Promise<Item> {
  if (typeof secret !== "string" || secret === "") return key;
  try {
    const bytes = Uint8Array.fromBase64(secret);
    const text = box ? reveal(await box.open(bytes), "import") : new TextDecoder().decode(bytes);
    return { ...key, [String(key.type)]: key.type === "string" ? text : JSON.parse(text) };
  } catch {
    return key;
  }
}

/**
 * Converts a secret variable of an environment. It is stored as a key with a name such as
 * "var.password".
 */
function secretVariable({ name, string }: Item) {
  const [type, ...rest] = String(name).split(".");
  return { type, name: rest.join("."), secret: string as string | undefined };
}
