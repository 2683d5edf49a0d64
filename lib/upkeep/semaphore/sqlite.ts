import { DatabaseSync } from "node:sqlite";
import type { SecretBox } from "../../access/secret_box.ts";
import { ConfigError } from "../../base/settings.ts";
import { reveal } from "../../base/secret.ts";
import type { Item, Source, SourceIntegration } from "./source.ts";
import { createdAt } from "./task_item.ts";

const SQLITE_HEADER = "SQLite format 3\0";
/** Columns that hold JSON as text. */
const JSON_COLUMNS = ["survey_vars", "task_params", "params"];

/**
 * Reads the database file of another server, or what `sqlite3 FILE .dump` made of it. Secrets come
 * along when `box` has the key they were sealed with; with null they were stored in clear.
 */
export async function sqliteSource(path: string, box: SecretBox | null): Promise<Source> {
  const db = await openDatabase(path);
  const tables = new Set(
    db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name),
  );
  if (!tables.has("project__template")) {
    throw new ConfigError(`${path} is not a database of Semaphore.`);
  }
  /** Rows of a table, in the API's form. What an older version has not, there is none of. */
  const rows = (table: string, column: string, value: number): Item[] => {
    if (!tables.has(table)) return [];
    const flags = db.prepare(`PRAGMA table_info("${table}")`).all()
      .filter(({ type }) => /^(bool|tinyint)/i.test(String(type))).map(({ name }) => String(name));
    return db.prepare(`SELECT * FROM "${table}" WHERE "${column}" = ? ORDER BY id`).all(value)
      .map((row) => inForm(row as Item, flags));
  };
  const aliases = (column: string, id: number, which: (row: Item) => boolean = () => true) =>
    rows("project__integration_alias", column, id).filter(which).map(({ alias }) => String(alias));

  function integrationsOf(projectId: number): SourceIntegration[] {
    return rows("project__integration", "project_id", projectId).map((integration) => {
      const id = Number(integration.id);
      return {
        integration,
        matchers: rows("project__integration_matcher", "integration_id", id),
        values: rows("project__integration_extract_value", "integration_id", id),
        aliases: aliases("integration_id", id),
      };
    });
  }

  /** Between which rows a task's output is: no index tells, and each search would read all of it. */
  const findOutputs = () =>
    new Map(
      db.prepare(
        "SELECT task_id, min(rowid) AS first, max(rowid) AS last FROM task__output GROUP BY task_id",
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
    async read(projectId) {
      const of = (table: string) => rows(`project__${table}`, "project_id", projectId);
      const [project] = rows("project", "id", projectId);
      if (!project) throw new ConfigError(`There is no project ${projectId}.`);
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
        integrations: integrationsOf(projectId),
        aliases: aliases("project_id", projectId, ({ integration_id }) => !integration_id),
        members: db.prepare(
          'SELECT u.username, m.role FROM project__user m JOIN "user" u ON u.id = m.user_id ' +
            "WHERE m.project_id = ?",
        ).all(projectId) as { username: string; role: string }[],
      };
    },
    tasks(_, templateId, count) {
      if (!tables.has("task")) return Promise.resolve({ tasks: [], cut: false });
      const found = db.prepare("SELECT * FROM task WHERE template_id = ? ORDER BY id DESC LIMIT ?");
      // A limit below zero is none.
      const listed = found.iterate(templateId, Number.isFinite(count) ? count : -1);
      const tasks = Array.from(listed, (row) => ({ id: Number(row.id), created: createdAt(row) }));
      return Promise.resolve({ tasks, cut: false });
    },
    task: (_, taskId) => Promise.resolve(rows("task", "id", taskId).at(0) ?? null),
    output(_, taskId) {
      if (!tables.has("task__output")) return [];
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

async function openDatabase(path: string): Promise<DatabaseSync> {
  const head = new Uint8Array(SQLITE_HEADER.length);
  using file = await Deno.open(path).catch(() => {
    throw new ConfigError(`${path} cannot be read.`);
  });
  await file.read(head);
  try {
    if (new TextDecoder().decode(head) === SQLITE_HEADER) {
      return new DatabaseSync(path, { readOnly: true });
    }
    const db = new DatabaseSync(":memory:");
    db.exec(await Deno.readTextFile(path));
    return db;
  } catch (error) {
    throw new ConfigError(`${path} is no SQLite database, nor a dump of one: ${error}`);
  }
}

function inForm(row: Item, flags: string[]): Item {
  const item = { ...row };
  for (const name of flags) item[name] = Boolean(row[name]);
  for (const name of JSON_COLUMNS) {
    if (typeof row[name] === "string") item[name] = parsed(row[name]);
  }
  return item;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A key with its secret in the API's form; without one when it cannot be opened. */
async function openKey({ secret, ...key }: Item, box: SecretBox | null): Promise<Item> {
  if (typeof secret !== "string" || secret === "") return key;
  try {
    const bytes = Uint8Array.fromBase64(secret);
    const text = box ? reveal(await box.open(bytes)) : new TextDecoder().decode(bytes);
    return { ...key, [String(key.type)]: key.type === "string" ? text : JSON.parse(text) };
  } catch {
    return key;
  }
}

/** Secret variables of an environment are keys of a type of their own, such as "var.password". */
function secretVariable({ name, string }: Item) {
  const [type, ...rest] = String(name).split(".");
  return { type, name: rest.join("."), secret: string as string | undefined };
}
