import type { SecretBox } from "../../access/secret_box.ts";
import type { Item, Source, SourceIntegration, SourceProject } from "./source.ts";
import { type ForeignDatabase, openForeignDatabase } from "./sqlite_database.ts";
import { createdAt } from "./task_item.ts";
import { reveal } from "../../base/secret.ts";
import { ConfigError } from "../../base/settings/settings.ts";

/**
 * Reads the database file of another server, or the output of `sqlite3 FILE .dump`. Secrets are
 * imported if `box` has the key that sealed them. With null they were stored in clear.
 */
export async function sqliteSource(path: string, box: SecretBox | null): Promise<Source> {
  const database = await openForeignDatabase(path);
  const { db, has, rows } = database;
  /**
   * Reads the first and last row of each task's output. Without an index, each search would read
   * the whole table.
   */
  const findOutputs = () =>
    new Map(
      db.prepare(
        "SELECT task_id, min(rowid) AS first, max(rowid) AS last FROM task__output " +
          "GROUP BY task_id",
      ).all().map(({ task_id, first, last }) => [Number(task_id), [first, last]]),
    );
  let outputs: ReturnType<typeof findOutputs> | undefined;

  return {
    users: () => Promise.resolve(db.prepare('SELECT * FROM "user" ORDER BY id').all() as Item[]),
    projects: () =>
      Promise.resolve(
        db.prepare("SELECT id, name FROM project ORDER BY id").all() as {
          id: number;
          name: string;
        }[],
      ),
    read: (projectId) => readSqliteProject(database, projectId, box),
    tasks(_, templateId, count) {
      if (!has("task")) return Promise.resolve({ tasks: [], cut: false });
      const found = db.prepare("SELECT * FROM task WHERE template_id = ? ORDER BY id DESC LIMIT ?");
      // A negative limit means no limit.
      const listed = found.iterate(templateId, Number.isFinite(count) ? count : -1);
      const tasks = Array.from(listed, (row) => ({ id: Number(row.id), created: createdAt(row) }));
      return Promise.resolve({ tasks, cut: false });
    },
    task: (_, taskId) => Promise.resolve(rows("task", "id", taskId).at(0) ?? null),
    output(_, taskId) {
      if (!has("task__output")) return [];
      outputs ??= findOutputs();
      const range = outputs.get(taskId);
      if (!range) return [];
      return db.prepare(
        "SELECT time, output FROM task__output WHERE rowid BETWEEN ? AND ? AND task_id = ? " +
          "ORDER BY rowid",
      ).iterate(...range, taskId) as Iterable<Item>;
    },
  };
}

/**
 * Reads a project with everything in it. Throws ConfigError if it does not exist. Secrets are
 * imported if `box` has the key that sealed them. With null they were stored in clear.
 */
async function readSqliteProject(
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
    workflows: of("workflow_template").map((workflow) => workflowOf(database, workflow)),
    integrations: integrationsOf(database, projectId),
    aliases: aliasesOf(database, "project_id", projectId, ({ integration_id }) => !integration_id),
    members: db.prepare(
      'SELECT u.username, m.role FROM project__user m JOIN "user" u ON u.id = m.user_id ' +
        "WHERE m.project_id = ?",
    ).all(projectId) as { username: string; role: string }[],
  };
}

/** Since 2.20, each change of a workflow adds a revision, with nodes and edges of its own. */
function workflowOf({ rows }: ForeignDatabase, workflow: Item): Item {
  const of = (part: string) =>
    rows(`project__workflow_${part}`, "workflow_template_id", Number(workflow.id));
  const revisionOf = ({ revision_id }: Item) => Number(revision_id ?? 0);
  const nodes = of("node");
  const latest = Math.max(...nodes.map(revisionOf));
  const isLatest = (item: Item) => revisionOf(item) === latest;
  return { ...workflow, nodes: nodes.filter(isLatest), edges: of("edge").filter(isLatest) };
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
