import { findRole } from "../../access/roles.ts";
import type { Sentence } from "../../base/errors.ts";
import { personParam, personWith } from "../../base/person.ts";
import type { FileRule } from "../../access/file_rules.ts";
import type { AccessRule } from "../../model/access_rule.ts";
import { getUsers } from "../../model/accounts.ts";
import type { MemberRow } from "../../model/project_row.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Store } from "../../store/store.ts";
import { getRules } from "../group_rules/repository.ts";

/** More than a server has. */
const ROWS_MAX = 100_000;

/** Uses of a role: people, rules of provider groups, and rules of templates and the like. */
interface RoleUses {
  members: MemberRow[];
  groups: string[];
  objects: number;
}

/** Returns the uses of a role that a project defines, or the server, which is project 0. */
export async function findRoleUses(
  { kv, fileRules }: { kv: Store; fileRules: readonly FileRule[] },
  place: number,
  slug: string,
): Promise<RoleUses> {
  const isHere = async (projectId: number) =>
    (await findRole(kv, projectId, slug))?.value.project_id === place;
  const [members, rules] = await Promise.all([
    listOf<MemberRow>(kv, place === 0 ? ["members"] : rowKeys.members(place)),
    listOf<AccessRule>(kv, place === 0 ? ["access_rules"] : ["access_rules", place]),
  ]);
  const stored = (await getRules(kv)).value?.rules ?? [];
  const given = stored.filter(({ gives, project_id }) =>
    gives === slug && (place === 0 || project_id === place)
  );
  const ofFile = fileRules.filter(({ gives }) => gives === slug);
  const named = members.filter(({ value }) => value.role === slug).map(({ value }) => value);
  const own = await Promise.all(named.map(({ project_id }) => isHere(project_id)));
  return {
    members: named.filter((_, n) => own[n]),
    groups: [...given, ...ofFile].map(({ value }) => value),
    objects:
      rules.filter(({ value }) =>
        Object.values(value).some((audience) => audience?.roles.includes(slug))
      ).length,
  };
}

const listOf = <Row>(kv: Store, prefix: Deno.KvKey) =>
  Array.fromAsync(kv.list<Row>({ prefix }, { limit: ROWS_MAX, batchSize: 500 }));

/** How many people a sentence names. */
const NAMED_MAX = 10;

/** Returns the sentence that says who uses a role; null if nobody does. */
export async function usesSentence(
  kv: Store,
  { members, groups, objects }: RoleUses,
): Promise<Sentence | null> {
  const users = await getUsers(kv, members.slice(0, NAMED_MAX).map(({ user_id }) => user_id));
  const parts: Sentence[] = [...users.values()].map((user) => personParam(personWith(user)));
  const more = members.length - parts.length;
  if (more > 0) parts.push({ key: "errors.roles.uses.people", params: { count: more } });
  if (groups.length > 0) {
    parts.push({ key: "errors.roles.uses.groups", params: { count: groups.length } });
  }
  if (objects > 0) parts.push({ key: "errors.roles.uses.objects", params: { count: objects } });
  return parts.length === 0 ? null : { key: "errors.roles.in_use", params: { uses: parts } };
}
