import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { parseJsonObject } from "../base/fields.ts";
import { ansibleVersion } from "../execution/run/ansible_version.ts";
import { requirementLabel } from "../execution/run/requirement_label.ts";
import { getAll } from "../store/rows/get_all.ts";
import { type ResourceKind, rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { readAnswers } from "../tasks/answer_store.ts";
import { outputsOf } from "../tasks/outputs.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type Initiator, initiatorsOf } from "../tasks/initiators.ts";
import { personParam } from "../base/person.ts";
import type { ComparedFact, FactValue, Pair } from "./schema.ts";

/** Maximum number of answers, and of outputs, that are listed. */
const NAMES_MAX = 200;
/** Maximum number of characters that are shown of a text. The whole text is compared. */
const SHOWN_MAX = 1_000;

/**
 * Returns the inputs and outcomes of both tasks, different ones first. Secret answers are left out.
 */
export async function factsOf(scope: ProjectScope, pair: Pair): Promise<ComparedFact[]> {
  const { kv } = scope.deps;
  const sight = await sightOf(scope);
  const rows = [pair.run, pair.base];
  const [starters, names, answers, outputs] = await Promise.all([
    initiatorsOf(kv, rows, sight),
    namesOf(kv, rows),
    Promise.all(rows.map((row) => readAnswers(kv, row))),
    Promise.all(rows.map((row) => outputsOf(kv, row.project_id, row.id))),
  ]);
  const [run, base] = rows.map((row, n) => valuesOf(row, starters[n], names));
  const facts = Object.keys(run).map((label) => factOf(label, run[label], base[label]));
  const given = namedFacts("answer", answers.map(parseAnswers));
  const reported = namedFacts("output", outputs.map(Object.fromEntries));
  return [...facts, ...given, ...reported].toSorted((a, b) =>
    Number(b.differs) - Number(a.differs)
  );
}

function factOf(label: string, run: FactValue, base: FactValue): ComparedFact {
  const differs = JSON.stringify(run) !== JSON.stringify(base);
  return { label, run: shown(run), base: shown(base), differs };
}

const shown = (value: FactValue): FactValue =>
  typeof value === "string" ? value.slice(0, SHOWN_MAX) : value;

/** Returns the values of a task, by the locale keys of their labels. */
function valuesOf(
  task: TaskRow,
  initiator: Initiator,
  names: (kind: ResourceKind, id: number | null) => string,
): Record<string, FactValue> {
  const { start, end, commit_hash, end_reason } = task;
  const environments = [task.environment_id, ...task.more_environment_ids];
  const yes = (value: boolean): FactValue => value ? { key: "compare.yes" } : "";
  return {
    "tasks.status_label": { key: `tasks.status.${task.status}` },
    "compare.reason": end_reason ?? "",
    "tasks.duration": start && end ? { ms: Date.parse(end) - Date.parse(start) } : "",
    "tasks.commit": commit_hash ? `${commit_hash.slice(0, 10)} ${task.commit_message ?? ""}` : "",
    "templates.branch": task.git_branch ?? "",
    "templates.repository": names("repositories", task.repository_id),
    "templates.playbook": task.playbook,
    "templates.working_directory": task.working_directory ?? "",
    "tasks.version": task.version ?? task.incoming_version ?? "",
    "templates.inventory": names("inventories", task.inventory_id),
    "templates.environment": environments.map((id) => names("environments", id))
      .filter(Boolean).join(", "),
    "compare.template_arguments": task.template_arguments ?? "",
    "compare.task_arguments": task.arguments ?? "",
    "compare.limit": task.limit.join(", "),
    "compare.tags": task.tags.join(", "),
    "compare.skip_tags": task.skip_tags.join(", "),
    "compare.vaults": task.vaults.map(({ name, vault_key_id }) =>
      [name, names("keys", vault_key_id)].filter(Boolean).join(": ")
    ).join(", "),
    "ssh_keys.of_template": (task.ssh_keys ?? []).map(({ id, hosts }) =>
      [names("keys", id), hosts?.join(" ")].filter(Boolean).join(": ")
    ).join(", "),
    "compare.secret_answers": yes(task.has_secrets),
    "compare.debug": yes(task.debug),
    "compare.dry_run": yes(task.dry_run),
    "compare.diff": yes(task.diff),
    "compare.skip_requirements": yes(task.skip_galaxy_install),
    "tasks.requirements": (task.requirements?.items ?? []).map(requirementLabel).join(", "),
    "compare.ansible": ansibleVersion(task.ansible_version ?? null),
    "compare.play_tasks": task.play_tasks ? String(task.play_tasks) : "",
    "compare.template_name": task.template_name,
    "tasks.started_by": initiatorText(initiator),
    "compare.created": { time: task.created },
  };
}

function initiatorText({ trigger, name: known, person }: Initiator): FactValue {
  const name = person ? personParam(person) : known;
  return trigger === "manual" || trigger === "api"
    ? name
    : { key: `tasks.starter_of.${trigger}`, params: { name } };
}

/** Returns a function for the current names of resources. A deleted one is named by its number. */
async function namesOf(kv: Store, tasks: TaskRow[]) {
  const asked = new Map<string, Deno.KvKey>();
  const add = (kind: ResourceKind, id: number | null) => {
    if (id) asked.set(`${kind} ${id}`, rowKeys.resource(kind, tasks[0].project_id, id));
  };
  for (const task of tasks) {
    add("repositories", task.repository_id);
    add("inventories", task.inventory_id);
    for (const id of [task.environment_id, ...task.more_environment_ids]) {
      add("environments", id);
    }
    for (const { vault_key_id } of task.vaults) add("keys", vault_key_id);
    for (const { id } of task.ssh_keys ?? []) add("keys", id);
  }
  const rows = await getAll<{ name: string }>(kv, [...asked.values()]);
  const names = new Map([...asked.keys()].map((text, n) => [text, rows[n].value?.name]));
  return (kind: ResourceKind, id: number | null) =>
    id ? names.get(`${kind} ${id}`) ?? `#${id}` : "";
}

/** Returns the values of both tasks by their own names. */
function namedFacts(of: ComparedFact["of"], pair: Record<string, unknown>[]): ComparedFact[] {
  const names = [...new Set(pair.flatMap(Object.keys))].slice(0, NAMES_MAX);
  const text = (values: Record<string, unknown>, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const [run, base] = pair;
  return names.map((name) => ({ ...factOf(name, text(run, name), text(base, name)), of }));
}

const parseAnswers = (json: string): Record<string, unknown> => parseJsonObject(json) ?? {};
