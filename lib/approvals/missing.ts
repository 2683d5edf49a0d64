import type { Sentence } from "../base/errors.ts";
import { personParam, personWith } from "../base/person.ts";
import type { ApprovalRule } from "../model/approval_rule.ts";
import { isFixedRole } from "../model/roles.ts";
import type { Store } from "../store/store.ts";
import { approversOf } from "./people.ts";

/** An approval that is waited for, with the number of people who have approved. */
interface Asked extends Pick<ApprovalRule, "roles" | "user_ids" | "needed"> {
  project_id: number;
  approved: number;
}

/** Returns what each approval waits for: a number of people, and who they can be. */
export async function missingApprovals(kv: Store, asked: readonly Asked[]): Promise<Sentence[]> {
  const lists = [...Map.groupBy(asked, ({ project_id }) => project_id)].map(
    async ([projectId, its]) => {
      const ids = [...new Set(its.flatMap(({ user_ids }) => user_ids))];
      const people = await approversOf(kv, projectId, ids);
      return [projectId, new Map(people.map(({ id, name }) => [id, name]))] as const;
    },
  );
  const names = new Map(await Promise.all(lists));
  return asked.map(({ project_id, roles, user_ids, needed, approved }) => {
    const people = [
      ...roles.map(roleSentence),
      ...user_ids.map((id) => personSentence(id, names.get(project_id)?.get(id) ?? null)),
    ];
    const count = Math.max(needed - approved, 1);
    const who = people.length > 0 ? people : [{ key: "approvals.everyone" }];
    return { key: "approvals.waits_for", params: { count, people: who } };
  });
}

/** Returns the name of a role, or its slug if it is not fixed. */
const roleSentence = (slug: string): Sentence =>
  isFixedRole(slug) ? { key: `roles.${slug}` } : { key: "roles.custom", params: { name: slug } };

const personSentence = (id: number, name: string | null): Sentence =>
  name === null
    ? { key: "approvals.former", params: { id } }
    : personParam(personWith({ id, name }));
