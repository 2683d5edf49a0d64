import type { Sentence } from "../../base/errors.ts";
import type { ApprovalRule } from "../../model/approval_rule.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { getUsers } from "../../model/accounts.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import type { ViewRow } from "../../templates/views/schema.ts";
import type { WorkflowRow } from "../../workflows/schema.ts";
import { userIdsIn, usersIn } from "./access_rules.ts";
import type { ReadBackup } from "./schema.ts";

/** Number of people who are looked up for one file. Others count as unknown. */
const PEOPLE_MAX = 10_000;

/** Returns the usernames of the people that rules name, by id, without deleted accounts. */
export async function usernamesIn(
  kv: Store,
  { workflows, templates, views }: {
    workflows: readonly WorkflowRow[];
    templates: readonly TemplateRow[];
    views: readonly ViewRow[];
  },
): Promise<Map<number, string>> {
  const rules = [
    ...templates.flatMap(({ approval }) => approval ?? []),
    ...workflows.flatMap(({ steps }) =>
      steps.flatMap((step) => step.kind === "approval" ? step.approval : [])
    ),
  ];
  const ids = rules.flatMap(({ user_ids }) => user_ids)
    .concat([...workflows, ...templates, ...views].flatMap(userIdsIn));
  const users = await getUsers(kv, [...new Set(ids)]);
  return new Map([...users].map(([id, { username }]) => [id, username]));
}

/** Someone whom a rule in a file names, with the name of the entry that holds the rule. */
type Named = { username: string } & ({ template: string } | { workflow: string } | { of: string });

const namedIn = ({ workflows, templates, views }: ReadBackup): Named[] => [
  ...templates.flatMap(({ name: template, approval }) =>
    (approval?.users ?? []).map((username) => ({ username, template }))
  ),
  ...(workflows ?? []).flatMap(({ name: workflow, steps }) =>
    (steps ?? []).flatMap(({ approval }) =>
      (approval?.users ?? []).map((username) => ({ username, workflow }))
    )
  ),
  ...[...templates, ...(workflows ?? []), ...views].flatMap((entry) =>
    usersIn(entry).map((username) => ({ username, of: entryTitle(entry) }))
  ),
];

/** Returns the name of an entry. Views of other servers have a title. */
const entryTitle = (entry: { name?: string | null; title?: string | null }): string =>
  entry.name ?? entry.title ?? "";

/** Returns the ids of the accounts of this server that rules of a file name. */
export async function findNamedPeople(kv: Store, file: ReadBackup): Promise<Map<string, number>> {
  const usernames = [...new Set(namedIn(file).map(({ username }) => username))]
    .slice(0, PEOPLE_MAX);
  const found = await getAll<number>(kv, usernames.map((name) => rowKeys.userByUsername(name)));
  return new Map(
    found.flatMap(({ value }, n) => value === null ? [] : [[usernames[n], value] as const]),
  );
}

/** Reports people who are named in a file without an account here, once for each entry. */
export function unknownPeople(
  file: ReadBackup,
  people: ReadonlyMap<string, number>,
): { username: string; reason: Sentence }[] {
  const unknown = namedIn(file).filter(({ username }) => !people.has(username));
  const once = new Map(unknown.map((named) => [JSON.stringify(named), named]));
  return [...once.values()].map((named) => {
    const name = "of" in named
      ? "unknown_rule_person"
      : "template" in named
      ? "unknown_template_person"
      : "unknown_person";
    return { username: named.username, reason: { key: `errors.restore.${name}`, params: named } };
  });
}

/**
 * Returns a rule without the people who are not found. Owners vote if fewer people are left than
 * must approve, because a rule that names no one would let everyone vote who may run tasks.
 */
const narrowed = <Rule extends { roles?: string[] | null; needed?: unknown }>(
  rule: Rule,
  named: readonly unknown[],
  found: readonly unknown[],
): Rule =>
  named.length > 0 && found.length < (Number(rule.needed) || 1) && !rule.roles?.length
    ? { ...rule, roles: ["owner"] }
    : rule;

/** Returns the rule of an entry with ids instead of usernames. */
export function ruleOf(
  { users, ...rule }: { users?: string[] | null; roles?: string[] | null; needed?: unknown },
  people: ReadonlyMap<string, number>,
) {
  const user_ids = (users ?? []).flatMap((username) => people.get(username) ?? []);
  return { ...narrowed(rule, users ?? [], user_ids), user_ids };
}

/** Returns the rule of a row with usernames instead of ids. */
export function exportRule(
  { user_ids, ...rule }: ApprovalRule,
  usernames: ReadonlyMap<number, string>,
) {
  const users = user_ids.flatMap((id) => usernames.get(id) ?? []);
  return { ...narrowed(rule, user_ids, users), users };
}
