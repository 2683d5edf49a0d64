import { createPause } from "../../base/time/pause.ts";
import { AppError, type Sentence } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { buildRows } from "./build.ts";
import { findNamedPeople, unknownPeople } from "./people.ts";
import type { Failure } from "./entries.ts";
import type { ProjectRows } from "./rows.ts";
import { backupSchema, type ReadBackup, type RestoreReport, type SentBackup } from "./schema.ts";
import { ENTRY_SCHEMAS } from "./file_entries.ts";
import { ENTRIES_MAX } from "./resource_entries.ts";
import type { Store } from "../../store/store.ts";

type LeftOut = RestoreReport["left_out"];

/**
 * The accepted part of a file, a draft of its rows with counted ids, and the report of the rest.
 */
export interface Taken {
  file: ReadBackup;
  draft: ProjectRows;
  people: ReadonlyMap<string, number>;
  left_out: LeftOut;
  inactive_schedules: RestoreReport["inactive_schedules"];
}

/**
 * Accepts what can be restored of a file. An invalid entry, and one that refers to such an entry,
 * is left out and reported. With `strict` the first of them is thrown instead, as a 400 that names
 * it.
 */
export async function takeBackup(
  kv: Store,
  sent: SentBackup,
  now: Date,
  strict: boolean,
): Promise<Taken> {
  const left_out: LeftOut = [];
  const read = strict ? parseWith(backupSchema, sent) : await readEntries(sent, left_out);
  const { file, inactive_schedules } = withMarkedSchedules(read);
  const people = await findNamedPeople(kv, file);
  const options = { projectId: 1, now, people, idOf: (_: unknown, at: number) => at + 1 };
  for (;;) {
    const failures: Failure[] = [];
    try {
      const draft = await buildRows(file, { ...options, failures });
      for (const { username, reason } of unknownPeople(file, people)) {
        if (strict) throw new AppError(400, reason.key, reason.params);
        left_out.push({ kind: "users", name: username, reason });
      }
      return { file, draft, people, left_out, inactive_schedules };
    } catch (error) {
      // Each round removes all failing entries of one list. Those that refer to them fail in a
      // later one.
      if (strict || failures.length === 0) throw error;
      remove(file, failures);
      const gone = new Set(left_out.map(({ kind, name }) => placeOf(kind, name)));
      for (const failure of failures) left_out.push(leftOutOf(failure, gone));
    }
  }
}

/** Parses each entry separately. Invalid entries and unknown lists are reported as left out. */
async function readEntries(sent: SentBackup, leftOut: LeftOut): Promise<ReadBackup> {
  const rest: Record<string, unknown> = {};
  const lists: Record<string, unknown[]> = {};
  const pause = createPause();
  for (const [kind, value] of Object.entries(sent)) {
    if (!Array.isArray(value)) {
      rest[kind] = value;
      continue;
    }
    if (value.length > ENTRIES_MAX) {
      throw new AppError(400, "errors.too_long", { max: ENTRIES_MAX }, {
        fields: { [kind]: { key: "errors.too_long", params: { max: ENTRIES_MAX } } },
      });
    }
    const entries: unknown[] = [];
    for (const [at, entry] of value.entries()) {
      if (pause.isDue()) await pause.take();
      const read = readEntry(kind, entry);
      if ("entry" in read) entries.push(read.entry);
      else leftOut.push({ kind, name: nameOf(entry, at), reason: read.problem });
    }
    if (Object.hasOwn(ENTRY_SCHEMAS, kind)) lists[kind] = entries;
  }
  return { ...parseWith(backupSchema, rest), ...lists };
}

/** Returns the parsed entry, or the reason why it is invalid. */
function readEntry(kind: string, entry: unknown): { entry: unknown } | { problem: Sentence } {
  if (!Object.hasOwn(ENTRY_SCHEMAS, kind)) {
    return { problem: { key: "errors.restore.unknown_kind" } };
  }
  const schema = ENTRY_SCHEMAS[kind as keyof typeof ENTRY_SCHEMAS];
  try {
    return { entry: parseWith(schema, entry) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { problem: ofField(Object.entries(error.details.fields!)[0]) };
  }
}

function nameOf(entry: unknown, at: number): string {
  const { name, title } = Object(entry) as Record<string, unknown>;
  const known = [name, title, entry].find((text) => typeof text === "string" && text !== "");
  return known === undefined ? String(at) : (known as string).slice(0, 200);
}

const placeOf = (kind: unknown, name: unknown) => `${kind} ${name}`;

function leftOutOf({ list, at, name, error }: Failure, gone: Set<string>): LeftOut[number] {
  const [[path, message]] = Object.entries(error.details.fields!);
  const wasThere = message.key === "errors.restore.unknown_name" &&
    gone.has(placeOf(message.params?.kind, message.params?.name));
  const reason = wasThere ? { ...message, key: "errors.restore.needs_left_out" } : message;
  return {
    kind: list.split(".").at(-1)!,
    name: name.slice(0, 200),
    reason: ofField([path.slice(`${list}.${at}.`.length), reason]),
  };
}

const ofField = ([field, message]: [string, Sentence]): Sentence =>
  field ? { key: "errors.invalid_field", params: { field, message } } : message;

/** Removes the entries from their lists. */
function remove(file: ReadBackup, failures: Failure[]): void {
  const byList = Map.groupBy(failures, ({ list }) => list);
  for (const [list, failed] of byList) {
    const path = list.split(".");
    const name = path.pop()!;
    // deno-lint-ignore no-explicit-any -- a path into the file that was walked to get here
    const holder = path.reduce((node: any, part) => node[part], file);
    const gone = new Set(failed.map(({ at }) => at));
    holder[name] = holder[name].filter((_: unknown, at: number) => !gone.has(at));
  }
}

/**
 * Adds the schedules of files up to 2.10, which hold only times. They do not say whether a schedule
 * only checked for commits, so it is restored disabled and does not run unasked.
 */
function withMarkedSchedules(file: ReadBackup) {
  const inactive_schedules: RestoreReport["inactive_schedules"] = [];
  const templates = file.templates.map((template) => {
    const { name, cron, schedules } = template;
    if (schedules || !cron) return template;
    inactive_schedules.push({ template: name, cron_format: cron });
    return { ...template, schedules: [{ cron_format: cron, active: false }] };
  });
  return { file: { ...file, templates }, inactive_schedules };
}
