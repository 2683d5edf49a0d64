import type { Permission } from "../access/permissions.ts";
import { type ProjectScope, reopen, requireAdmin, withPermission } from "../access/scope.ts";
import { ownAccount, type State, userScope } from "./state.ts";

/** The people who may use a page with a form. */
export interface Rights<Seen, Manager extends Seen> {
  /** Returns the scope that shows the page. Throws 403 for people who could not save its form. */
  sees(state: State, req: Request): Seen;
  /** Returns the scope that saves the form, as of now. Throws 403. */
  manages(state: State): Manager | Promise<Manager>;
}

type SameRights<Scope> = Rights<Scope, Scope>;

/** The members of the project that have a permission. */
export const asMember = <P extends Permission = never>(
  permission?: P,
): SameRights<ProjectScope<P>> => ({
  sees: ({ scope }) => withPermission(scope, permission),
  manages: ({ scope }) => reopen(scope, permission),
});

/** All members see the page. Those with a permission save. */
export const asMemberSaving = <P extends Permission>(
  permission: P,
): Rights<ProjectScope, ProjectScope<P>> => ({
  ...asMember(permission),
  sees: ({ scope }, { method }) => method === "POST" ? withPermission(scope, permission) : scope,
});

/** People for whom `open` returns a scope. */
export const always = <Scope>(open: (state: State) => Scope): SameRights<Scope> => ({
  sees: open,
  manages: open,
});

export const asAdmin = always((state) => requireAdmin(userScope(state)));
export const asUser = always(userScope);
/** People in their own account. */
export const asOneself = always(ownAccount);
