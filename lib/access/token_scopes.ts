import { AppError } from "../base/errors.ts";
import type { TokenLimits, TokenScope } from "../model/token_limits.ts";
import type { Actor } from "./actor.ts";
import { type Permission, PERMISSION_NAMES, PERMISSIONS } from "./permissions.ts";

/** Scopes of a token that leave a permission to it. One is enough. */
const SCOPES_OF: Record<Permission, readonly TokenScope[]> = {
  run_tasks: ["run"],
  // People who run tasks follow them.
  see_all_tasks: ["read", "run"],
  read_output: ["read", "run"],
  override_runs: ["run"],
  approve_tasks: ["run"],
  stop_all_tasks: ["run"],
  manage_triggers: ["manage"],
  manage_keys: ["manage"],
  manage_runners: ["manage"],
  add_people: ["manage"],
  update_project: ["manage"],
  manage_resources: ["manage"],
  manage_users: ["manage"],
};

/** Returns the limits of the token of an actor; null for sessions, triggers and full tokens. */
export const tokenLimitsOf = (actor: Actor): TokenLimits | null =>
  actor.kind === "user" ? actor.credential.limits ?? null : null;

/** Whether a token with these limits has one of the scopes. */
export const hasScope = (
  limits: Pick<TokenLimits, "scopes"> | null,
  ...wanted: readonly TokenScope[]
): boolean => !limits?.scopes || limits.scopes.some((scope) => wanted.includes(scope));

/** Returns the permissions of a mask that a token with these limits keeps. */
export function narrowed(permissions: number, limits: TokenLimits | null): number {
  if (!limits?.scopes) return permissions;
  return PERMISSION_NAMES.filter((name) => hasScope(limits, ...SCOPES_OF[name]))
    .reduce((mask, name) => mask | (permissions & PERMISSIONS[name]), 0);
}

/** Returns the scopes of which a token needs one for a permission. */
export const scopesOf = (permission: Permission): readonly TokenScope[] => SCOPES_OF[permission];

/** Throws 403 with the missing scope unless the actor's token has one of these. */
export function requireScope(actor: Actor, ...wanted: readonly TokenScope[]): void {
  if (!hasScope(tokenLimitsOf(actor), ...wanted)) throw insufficientScope(wanted[0]);
}

/** 403: the person may do it, but the token has not the scope (RFC 6750, section 3.1). */
export const insufficientScope = (scope: TokenScope): AppError =>
  new AppError(403, "errors.insufficient_scope", { scope }, {
    body: { scope },
    headers: {
      "WWW-Authenticate": `Bearer realm="Callboard", error="insufficient_scope", scope="${scope}"`,
    },
  });
