import { type Membership, openAccount, type ProjectScope, type Scope } from "../access/scope.ts";
import { createDefine, type PageProps, type RouteHandler } from "fresh";
import type { AnyComponent } from "preact";
import type { MaintenanceRow } from "../access/maintenance.ts";
import type { UserActor } from "../access/actor.ts";
import type { AlertDeps } from "../alerts/deliver.ts";
import type { Doctor } from "../monitoring/checks/doctor.ts";
import type { Log } from "../base/log.ts";
import type { EnvironmentSettings } from "../base/settings/known_settings.ts";
import type { NamePerson } from "../base/person.ts";
import { unauthorized } from "../base/errors.ts";
import type { Remote } from "../queue/remote/remote.ts";
import type { Ui } from "../i18n/ui.ts";
import type { FormDraft } from "../people/form_drafts/schema.ts";
import type { BackupPlan } from "../maintenance/server_backup/overview.ts";
import type { Machine } from "../monitoring/checks/machine.ts";
import type { MeasuredDeps } from "../monitoring/metrics/measure.ts";
import type { OtherPage } from "./other_page.ts";
import type { Shell } from "./shell.ts";

/** Dependencies of the services, and those that describe the server itself. */
export interface AppDeps extends MeasuredDeps, AlertDeps {
  /** Reports whether disk, Ansible and isolation are still as they were at the start. */
  machine: Machine;
  /** Settings of this process's environment. */
  settings: EnvironmentSettings;
  /** Log of the requests; null if they are not logged. */
  accessLog: Log | null;
  /** Times of automatic backups; null without them. */
  backupPlan: BackupPlan | null;
  /** Checks that this server does on demand. */
  doctor: Doctor;
  /** Runs on runners, as far as this server takes part in them. */
  remote: Remote;
}

/** State of a request, shared by middlewares, layouts and pages. */
export interface State {
  deps: AppDeps;
  /** Id of the request in its answer, its errors and the log. */
  requestId: string;
  /** The signed-in user. */
  actor: UserActor | null;
  /**
   * Membership in the project that the path names, as of the arrival of the request; null without
   * one.
   */
  membership: Membership | null;
  ui: Ui;
  /** Maintenance that is planned or in force, for the notice on pages; null for none. */
  maintenance: MaintenanceRow | null;
  /** Names people; missing before the actor is known. */
  namePerson?: NamePerson;
  /** Project of the page and the content of its menu. Only set below /project/{projectId}. */
  scope: ProjectScope<never, AppDeps>;
  shell: Shell;
  /** Values that were typed into this page's form before the session ended. */
  kept: FormDraft | null;
  /** The form of the page for the browsers that it is not for. */
  otherPage?: OtherPage;
  /** Turns a rendered page into one that continues while it is read. See `streamedPages`. */
  stream?: (html: string) => ReadableStream<Uint8Array>;
}

export const define = createDefine<State>();

/** Creates a route of an app from what a file of the routes folder exports. */
// deno-lint-ignore no-explicit-any -- the data of a page is between its handler and its component
export const routeOf = <Handler extends RouteHandler<any, State>>(
  handler: Handler,
  component?: Parameters<typeof define.page<Handler>>[0],
) => ({ handler, component: component as AnyComponent<PageProps<unknown, State>> | undefined });

/** Whether a page, which stands in projects and on the server, is one of a project. */
export const isOfProject = ({ shell }: Partial<State>): boolean => shell !== undefined;

/** Returns the signed-in user. Throws 401 if there is none. */
export function signedIn(state: State): UserActor {
  if (!state.actor) throw unauthorized();
  return state.actor;
}

/** Returns the scope of the signed-in user. Throws 401 if there is none. */
export const userScope = (state: State): Scope<UserActor, AppDeps> => ({
  deps: state.deps,
  actor: signedIn(state),
});

/** Returns the account of the signed-in user. */
export const ownAccount = (state: State) => openAccount(userScope(state), signedIn(state).id);
