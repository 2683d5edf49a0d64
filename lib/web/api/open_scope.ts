import {
  openAccount,
  openProject,
  requireAdmin,
  requireCreator,
  type Scope,
  scopeOf,
  withPermission,
} from "../../access/scope.ts";
import type { Operation } from "../../access/operation.ts";
import { notFound } from "../../base/errors.ts";
import type { PublicScope } from "./bind.ts";
import { type State, userScope } from "../state.ts";

export type Ids = Record<string, number>;

/** Returns the scope as of the arrival of the request. */
export function openAsAsked({ access }: Operation, state: State, ids: Ids): Scope | PublicScope {
  if (access === "public") return { deps: state.deps, actor: state.actor };
  const user = userScope(state);
  // Objects in a project that the caller may not see do not exist for any request.
  if ("projectId" in ids && !state.membership) throw notFound();
  switch (access) {
    case "user":
      return user;
    case "admin":
      return requireAdmin(user);
    case "admin_or_self":
      return openAccount(user, ids.userId);
    case "create_project":
      return requireCreator(user);
  }
  const scope = scopeOf(user.deps, user.actor, state.membership!);
  return access === "member" ? scope : withPermission(scope, access);
}

/** Returns the scope as it is now, because receiving a body may take a while. */
export async function openAgain(
  { access }: Operation,
  scope: Scope | PublicScope,
  { projectId }: Ids,
) {
  switch (access) {
    case "public":
    case "user":
    case "admin":
    case "admin_or_self":
    case "create_project":
      return scope;
    case "member":
      return await openProject(scope as Scope, projectId);
  }
  return await openProject(scope as Scope, projectId, access);
}
