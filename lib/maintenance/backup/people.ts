import { getAll } from "../../kv/get_all.ts";
import { rowKeys } from "../../kv/keys.ts";
import { getUsers } from "../../people/users/repository.ts";
import type { WorkflowRow } from "../../workflows/schema.ts";
import type { ReadBackup } from "./schema.ts";

/** Number of people who are looked up for one file. Others count as unknown. */
const PEOPLE_MAX = 10_000;

/** Returns the usernames of the people that approvals name, by id, without deleted accounts. */
export async function usernamesIn(
  kv: Deno.Kv,
  workflows: readonly WorkflowRow[],
): Promise<Map<number, string>> {
  const ids = workflows.flatMap(({ steps }) =>
    steps.flatMap((step) => step.kind === "approval" ? step.approval.user_ids : [])
  );
  const users = await getUsers(kv, [...new Set(ids)]);
  return new Map([...users].map(([id, { username }]) => [id, username]));
}

/** Someone whom an approval in a file names. */
interface Named {
  username: string;
  workflow: string;
}

const namedIn = ({ workflows }: ReadBackup): Named[] =>
  (workflows ?? []).flatMap(({ name, steps }) =>
    (steps ?? []).flatMap(({ approval }) =>
      (approval?.users ?? []).map((username) => ({ username, workflow: name }))
    )
  );

/** Returns the ids of the accounts of this server that approvals of a file name. */
export async function findApprovers(kv: Deno.Kv, file: ReadBackup): Promise<Map<string, number>> {
  const usernames = [...new Set(namedIn(file).map(({ username }) => username))]
    .slice(0, PEOPLE_MAX);
  const found = await getAll<number>(kv, usernames.map((name) => rowKeys.userByUsername(name)));
  return new Map(
    found.flatMap(({ value }, n) => value === null ? [] : [[usernames[n], value] as const]),
  );
}

/** Returns who is named in a file, but has no account here, once for each workflow. */
export function unknownPeople(file: ReadBackup, people: ReadonlyMap<string, number>): Named[] {
  const unknown = namedIn(file).filter(({ username }) => !people.has(username));
  return [...new Map(unknown.map((named) => [JSON.stringify(named), named])).values()];
}

/**
 * Returns a rule without the people who are not found. One that names no one would let everyone
 * vote who may run tasks, so owners vote if nobody is left.
 */
export const narrowed = <Rule extends { roles?: string[] | null }>(
  rule: Rule,
  named: readonly unknown[],
  found: readonly unknown[],
): Rule =>
  named.length > 0 && found.length === 0 && !rule.roles?.length
    ? { ...rule, roles: ["owner"] }
    : rule;
