import { type Membership, openAccount, type ProjectScope, type Scope } from "../access/scope.ts";
import { createDefine } from "fresh";
import type { UserActor } from "../access/actor.ts";
import type { Deps } from "../access/deps.ts";
import { unauthorized } from "../base/errors.ts";
import type { Ui } from "../i18n/ui.ts";
import type { KeptForm } from "../people/kept_forms/schema.ts";
import type { Machine } from "../monitoring/health/machine.ts";
import type { Metrics } from "../monitoring/metrics/metrics.ts";
import type { Shell } from "./pages/shell.ts";

/** What the services need, and what tells of the server itself. */
export interface AppDeps extends Deps {
  /** What is counted for those who watch over servers. */
  metrics: Metrics;
  /** Tells whether disk, Ansible and isolation are as they were at the start. */
  machine: Machine;
}

/** What a request carries through middlewares, layouts and pages. */
export interface State {
  deps: AppDeps;
  /** Who is signed in. */
  actor: UserActor | null;
  /** What they are in the project that the path names, as the request came: null in none. */
  membership: Membership | null;
  ui: Ui;
  /** The project of the page, and what its menu shows: there below /project/{projectId} only. */
  scope: ProjectScope<never, AppDeps>;
  shell: Shell;
  /** What was typed into this page's form before the session ended. */
  kept: KeptForm | null;
  /** Makes a rendered page one that goes on while it is read: see `streamedPages`. */
  stream?: (html: string) => ReadableStream<Uint8Array>;
}

export const define = createDefine<State>();

/** Who is signed in; throws 401 when nobody is. */
export function signedIn(state: State): UserActor {
  if (!state.actor) throw unauthorized();
  return state.actor;
}

/** The same with what it takes to do something; throws 401 when nobody is signed in. */
export const userScope = (state: State): Scope<UserActor, AppDeps> => ({
  deps: state.deps,
  actor: signedIn(state),
});

/** The account of who is signed in. */
export const ownAccount = (state: State) => openAccount(userScope(state), signedIn(state).id);
