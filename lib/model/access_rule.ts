/** Roles and people of a project. An empty audience has nobody. */
export interface Audience {
  /** Slugs of roles. */
  roles: string[];
  user_ids: number[];
}

/** Actions that a rule is about: seeing an object, starting it, and changing it. */
export const RULED_ACTIONS = ["visible_to", "run_by", "edit_by"] as const;
export type RuledAction = (typeof RULED_ACTIONS)[number];

/**
 * Rule about who in a project may see, run and edit an object. Null or missing stands for everyone
 * whose role allows it. A rule narrows what roles allow and never widens it.
 */
export type AccessRule = Partial<Record<RuledAction, Audience | null>>;

/** Kinds of objects that have rules. The rule of a view holds for its templates, too. */
export const RULED_KINDS = ["templates", "workflows", "views"] as const;
export type RuledKind = (typeof RULED_KINDS)[number];

export const isRuledKind = (kind: string): kind is RuledKind =>
  RULED_KINDS.some((one) => one === kind);

/** Returns the rule in a row, without what is for everyone; null if all of it is. */
export function accessRuleOf(row: AccessRule): AccessRule | null {
  const set = RULED_ACTIONS.flatMap((action) => row[action] ? [[action, row[action]]] : []);
  return set.length === 0 ? null : Object.fromEntries(set);
}
