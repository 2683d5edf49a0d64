type Row = Readonly<Record<string, unknown>>;

/** The stored form of rows of one kind, without the names of their members. */
interface Form {
  /** Members in the order of their values. New ones are appended, and none is ever removed. */
  members: readonly string[];
  /** Members that every row has, with their usual values, which are not stored. */
  usual?(key: Deno.KvKey, row: Row): Row;
}

const TASK: Form = {
  members: [
    ...["id", "project_id", "template_id", "status", "message", "created", "start", "end"],
    ...["user_id", "username", "user_name", "schedule_id", "integration_id", "template_name"],
    ...["template_type", "playbook", "repository_id", "inventory_id", "environment_id", "vaults"],
    ...["template_arguments", "skip_galaxy_install", "environment_targets"],
    ...["suppress_success_alerts", "environment", "has_secrets", "arguments", "limit", "tags"],
    ...["skip_tags", "git_branch", "debug", "dry_run", "diff", "version", "build_task_id"],
    ...["incoming_version", "commit_hash", "commit_message", "stop", "end_reason", "given"],
    ...["play_tasks", "ansible_version", "template_app", "steps", "failure_line", "by_token"],
    ...["started_by"],
    ...["runner_id", "runner_name", "arguments_checked", "secret_names", "more_environment_ids"],
    ...["workflow", "runner_labels", "preview", "approval", "attempt", "retry_of", "check"],
    ...["commit_asked", "several_keys", "ssh_keys", "toolchain_id", "identity_audience"],
    ...["inventory_commit", "long_answers", "suppress_full_results", "auto_fix"],
    ...["own_key_id", "asked_passwords", "suppress_error_alerts", "working_directory"],
    ...["requirements", "keeps", "no_arguments"],
    ...["output_cut"],
  ],
};

/** Rows that each task leaves behind for good. Names would be half of their bytes. */
const FORMS = new Map<Deno.KvKeyPart, Form>(Object.entries({
  tasks: TASK,
  last_tasks: TASK,
  events: {
    members: [
      ...["object_type", "object_id", "object_name", "action", "user_id", "username", "starter"],
      ...["address", "user_agent", "changes", "changes_left", "params", "created"],
    ],
    usual: ([, , created], { object_name: name, object_id: id }) => ({
      created,
      params: { name, id },
    }),
  },
  host_runs: {
    members: [
      ...["task", "severity", "changed", "ended", "good", "host", "began", "busy_ms", "complete"],
      ...["ok", "unreachable", "failed", "skipped", "rescued", "ignored"],
    ],
  },
  task_log_heads: {
    members: [
      ...["lines", "bytes", "closed", "writer", "play_tasks", "sections", "first_failure"],
      ...["cut"],
    ],
  },
  task_result_heads: {
    members: [
      ...["began", "ended", "plays", "tasks", "hosts", "results", "counts", "lost", "cut"],
      ...["complete", "full_dropped", "ended_early", "check_mode"],
    ],
  },
  task_log_chunks: { members: ["time", "delays", "text", "deflated"] },
}));

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Returns a value as the store holds it: for the kinds above, a list that begins with the rest. */
export function shortForm(key: Deno.KvKey, value: unknown): unknown {
  const form = FORMS.get(key[0]);
  const isRow = form && value && Object.getPrototypeOf(value) === Object.prototype;
  if (!isRow) return value;
  const row = value as Row;
  const usual = form.usual?.(key, row) ?? {};
  const values = form.members.map((name) =>
    name in usual && isSame(row[name], usual[name]) ? undefined : row[name]
  );
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  const rest = Object.entries(row).filter(([name, its]) =>
    its !== undefined && !form.members.includes(name)
  );
  return [rest.length > 0 ? Object.fromEntries(rest) : 0, ...values];
}

/** Gives an entry that the store has read the value that was set. */
export function lengthen<E extends Deno.KvEntryMaybe<unknown>>(entry: E): E {
  const form = FORMS.get(entry.key[0]);
  if (!form || !Array.isArray(entry.value)) return entry;
  const [rest, ...values] = entry.value as unknown[];
  const row: Record<string, unknown> = {};
  for (const [n, value] of values.entries()) if (value !== undefined) row[form.members[n]] = value;
  for (const [name, value] of Object.entries(form.usual?.(entry.key, row) ?? {})) {
    row[name] ??= value;
  }
  return Object.assign(entry, { value: Object.assign(row, rest) });
}

/** Gives the entries of a list the values that were set. A watch lengthens what it reads itself. */
export function lengthenAll<T>(
  selector: Deno.KvListSelector,
  entries: Deno.KvListIterator<T>,
): Deno.KvListIterator<T> {
  const [kind] = "prefix" in selector ? selector.prefix : selector.start;
  if (kind !== undefined && !FORMS.has(kind)) return entries;
  const next = entries.next.bind(entries);
  entries.next = async () => {
    const read = await next();
    if (!read.done) lengthen(read.value);
    return read;
  };
  return entries;
}
