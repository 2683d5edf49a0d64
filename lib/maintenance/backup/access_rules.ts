import { type AccessRule, RULED_ACTIONS, type RuledAction } from "../../model/access_rule.ts";

/** Roles and people of a rule in a file. */
type AudienceEntry = { roles?: string[] | null; users?: string[] | null };

/** A rule in a file, with usernames instead of ids. A missing member stands for everyone. */
type RuleEntry = { [Action in RuledAction]?: AudienceEntry | null };

/** Returns the rule of a row for a file. An audience of deleted people stays one of no one. */
export const exportAccessRule = (
  rule: AccessRule,
  usernames: ReadonlyMap<number, string>,
): Record<RuledAction, AudienceEntry | null> =>
  eachAction((action) => {
    const audience = rule[action];
    if (!audience) return null;
    const users = audience.user_ids.flatMap((id) => usernames.get(id) ?? []);
    return { roles: audience.roles, users };
  });

/**
 * Returns the rule of an entry with ids instead of usernames. People without an account here are
 * left out, and unknown roles are kept, so no one else may do what the rule allowed them alone.
 */
export const accessRuleIn = (entry: RuleEntry, people: ReadonlyMap<string, number>): AccessRule =>
  eachAction((action) => {
    const audience = entry[action];
    if (!audience) return null;
    const user_ids = (audience.users ?? []).flatMap((username) => people.get(username) ?? []);
    return { roles: audience.roles ?? [], user_ids };
  });

/** Returns the usernames in the rule of an entry. */
export const usersIn = (entry: RuleEntry): string[] =>
  RULED_ACTIONS.flatMap((action) => entry[action]?.users ?? []);

/** Returns the ids of people in the rule of a row. */
export const userIdsIn = (rule: AccessRule): number[] =>
  RULED_ACTIONS.flatMap((action) => rule[action]?.user_ids ?? []);

const eachAction = <Value>(valueOf: (action: RuledAction) => Value) =>
  Object.fromEntries(RULED_ACTIONS.map((action) => [action, valueOf(action)])) as Record<
    RuledAction,
    Value
  >;
