import type { SecretBox } from "../../access/secret_box.ts";
import type { Item, Source } from "./source.ts";
import { openForeignDatabase } from "./sqlite_database.ts";
import { readSqliteProject } from "./sqlite_project.ts";
import { createdAt } from "./task_item.ts";

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
