import { DatabaseSync } from "node:sqlite";
import { ConfigError } from "../../base/settings/settings.ts";
import type { Item } from "./source.ts";

const SQLITE_HEADER = "SQLite format 3\0";
/** Columns that hold JSON as text. */
const JSON_COLUMNS = ["survey_vars", "task_params", "params", "input_mappings"];

/** Another server's database, open for reading. */
export interface ForeignDatabase {
  db: DatabaseSync;
  has(table: string): boolean;
  /**
   * Rows of a table in the form of the API. Empty for a table that an older version does not have.
   */
  rows(table: string, column: string, value: number): Item[];
}

/**
 * Opens a database file, or the output of `sqlite3 FILE .dump`. Throws ConfigError for other files.
 */
export async function openForeignDatabase(path: string): Promise<ForeignDatabase> {
  const db = await openDatabase(path);
  const tables = new Set(
    db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all().map(({ name }) => name),
  );
  if (!tables.has("project__template")) {
    throw new ConfigError(`${path} is not a Semaphore database.`);
  }
  const has = (table: string) => tables.has(table);
  const rows = (table: string, column: string, value: number): Item[] => {
    if (!has(table)) return [];
    const flags = db.prepare(`PRAGMA table_info("${table}")`).all()
      .filter(({ type }) => /^(bool|tinyint)/i.test(String(type)))
      .map(({ name }) => String(name));
    return db.prepare(`SELECT * FROM "${table}" WHERE "${column}" = ? ORDER BY id`).all(value)
      .map((row) => withParams(inForm(row as Item, flags)));
  };
  /** Since 2.13, the parameters of what starts tasks are in a table of their own. */
  const withParams = (item: Item): Item => {
    const [task_params] = rows("project__task_params", "id", Number(item.task_params_id ?? 0));
    return task_params ? { ...item, task_params } : item;
  };
  return { db, has, rows };
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
    throw new ConfigError(`${path} is neither an SQLite database nor a dump of one: ${error}`);
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
