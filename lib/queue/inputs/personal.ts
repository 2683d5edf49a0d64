import { type Actor, isProjectToken } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { grants } from "../../access/permissions.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { findMembership, type ProjectScope } from "../../access/scope.ts";
import { AppError, invalidField, type Sentence } from "../../base/errors.ts";
import { personParam } from "../../base/person.ts";
import { conceal, reveal, type Secret } from "../../base/secret.ts";
import type { PlanKey } from "../../execution/run/plan.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { listOwnKeyRows } from "../../resources/own_keys/repository.ts";
import { openOwnKey } from "../../resources/own_keys/secret.ts";
import type { OwnKeyRow } from "../../resources/own_keys/schema.ts";
import { needsRunner, type RunnerRow } from "../../runners/rows.ts";
import {
  isPersonal,
  needsPerson,
  type Personal,
  type PersonalForm,
  personalOf,
  unattendedKey,
} from "../../tasks/personal.ts";
import type { AskedPassword, PersonalPart, TaskRow } from "../../model/task_row.ts";
import { storePin } from "../../tasks/pin_store.ts";
import type { TaskDraft } from "../../tasks/insert.ts";
import { newPin } from "./pins.ts";
import { taskInventory } from "./task_labels.ts";
import type { TemplateHead } from "../../model/template_row.ts";
import { findTemplateHead } from "../../model/templates.ts";
import { findUser } from "../../model/accounts.ts";

/** Returns what a task of the template gets from its starter, on this inventory or its own. */
export async function personalOfTask(
  kv: Store,
  template: TemplateHead,
  inventoryId: number | null,
): Promise<Personal> {
  return personalOf(template, await taskInventory(kv, template, inventoryId));
}

/**
 * Returns the members of a new task that gets something from its starter. Throws 400 with a
 * sentence unless a person starts it and gives all of that.
 */
export async function personalPart(
  { deps: { kv }, actor }: ProjectScope,
  personal: Personal,
  form: PersonalForm,
  { check = false }: { check?: boolean },
): Promise<PersonalPart> {
  if (!needsPerson(personal)) return {};
  requirePerson(actor, personal, check);
  const { ownKey, passwords } = personal;
  if (ownKey && passwords.includes("ssh")) throw new AppError(400, KEY_OR_PASSWORD);
  const fields: Record<string, Sentence> = {};
  const own_key_id = ownKey ? await chosenKey(kv, actor.id, form.own_key_id, fields) : undefined;
  for (const name of passwords) {
    if (form[`${name}_password`] === "") fields[`${name}_password`] = { key: "errors.required" };
  }
  const [problem] = Object.values(fields);
  if (problem) throw new AppError(400, problem.key, problem.params, { fields });
  return {
    ...own_key_id && { own_key_id },
    ...passwords.length > 0 && { asked_passwords: passwords },
  };
}

const KEY_OR_PASSWORD = "errors.personal.key_or_password";
const NO_KEY = "errors.personal.no_key";
const UNKNOWN_KEY = "errors.personal.unknown_key";

/** Throws 400 unless the starter is a person who is there to give a key or a password. */
function requirePerson(
  actor: Actor,
  personal: Personal,
  check: boolean,
): asserts actor is Actor & { kind: "user" } {
  if (check || actor.kind !== "user" || isProjectToken(actor)) {
    throw new AppError(400, unattendedKey(personal));
  }
}

/** Throws 400 at `field` for a trigger of a template whose tasks only people can start. */
export async function requireUnattended(
  kv: Store,
  projectId: number,
  templateId: number | null,
  { inventoryId, field }: { inventoryId: number | null; field: string },
): Promise<void> {
  if (!templateId) return;
  const template = await findTemplateHead(kv, projectId, templateId);
  if (!template) return;
  const personal = await personalOfTask(kv, template, inventoryId);
  if (needsPerson(personal)) throw invalidField(field, unattendedKey(personal));
}

/**
 * Returns the chosen key of the starter; notes a problem in `fields`. There is no default: a
 * person who changes a template must not get the keys of people who start it as before.
 */
async function chosenKey(
  kv: Store,
  userId: number,
  chosen: number | null,
  fields: Record<string, Sentence>,
): Promise<number | undefined> {
  const keys = await listOwnKeyRows(kv, userId);
  const key = keys.find(({ id }) => id === chosen);
  if (key) return key.id;
  fields.own_key_id = {
    key: keys.length === 0 ? NO_KEY : chosen ? UNKNOWN_KEY : "errors.required",
  };
}

/**
 * Prepares what is stored beside a new task that gets something from its starter: its passwords,
 * sealed, and its inputs, so that no one changes what the key and the passwords are used for.
 * Throws 400 if others would have to confirm it without having seen a preview.
 */
export async function preparePersonal(
  deps: Deps,
  project: ProjectRow,
  task: TaskDraft,
  form: PersonalForm,
): Promise<(op: Atomic, id: number) => void> {
  if (!isPersonal(task)) return () => {};
  const { approval, preview, runner_labels = [], asked_passwords = [] } = task;
  if (needsRunner(runner_labels, project)) requireOnRunners(deps);
  const needsOthers = approval && (approval.not_starter || approval.needed > 1);
  if (needsOthers && !preview && task.status === "waiting_confirmation") {
    throw new AppError(400, "errors.personal.needs_preview");
  }
  const pin = await newPin(deps, task);
  const given = asked_passwords.map((name) => [name, form[`${name}_password`]]);
  const sealed = given.length > 0
    ? await deps.secrets.seal(JSON.stringify(Object.fromEntries(given)))
    : null;
  return (op, id) => {
    storePin(op, id, pin);
    if (sealed) op.set(rowKeys.taskPasswords(id), sealed);
  };
}

/** Secrets that a run gets from its starter. */
export interface PersonalSecrets {
  key: PlanKey | null;
  passwords: Partial<Record<AskedPassword, Secret>>;
}

/**
 * Returns the key and the passwords of a task's starter. Throws if that person may no longer run
 * tasks of the project, or has removed the key.
 */
export async function readPersonal(deps: Deps, task: TaskRow): Promise<PersonalSecrets> {
  if (!isPersonal(task)) return { key: null, passwords: {} };
  await requireStarter(deps.kv, task);
  const [key, passwords] = await Promise.all([keyOfStarter(deps, task), passwordsOf(deps, task)]);
  return { key, passwords };
}

async function requireStarter(kv: Store, task: TaskRow): Promise<void> {
  const user = (await findUser(kv, task.user_id ?? 0))?.value;
  // Rights do not depend on how a person is signed in.
  const credential = { kind: "session", hash: "" } as const;
  const membership = user &&
    await findMembership(kv, { ...user, kind: "user", credential }, task.project_id);
  if (membership && grants(membership.permissions, "run_tasks")) return;
  throw new AppError(403, "errors.personal.starter_gone", { name: personParam(task) });
}

async function keyOfStarter(
  { kv, secrets }: Deps,
  task: TaskRow,
): Promise<PlanKey | null> {
  const { user_id, own_key_id } = task;
  if (own_key_id === undefined) return null;
  // Found by its owner and id together, so that no task can use the key of anyone else.
  const { value: row } = await kv.get<OwnKeyRow>(rowKeys.ownKey(user_id ?? 0, own_key_id));
  if (!row) throw new AppError(400, "errors.personal.key_gone", { name: personParam(task) });
  return await openOwnKey(secrets, row);
}

async function passwordsOf(
  { kv, secrets }: Deps,
  { id, asked_passwords = [] }: TaskRow,
): Promise<PersonalSecrets["passwords"]> {
  if (asked_passwords.length === 0) return {};
  const { value } = await kv.get<Uint8Array>(rowKeys.taskPasswords(id));
  if (!value) throw new AppError(400, "errors.personal.passwords_gone");
  const given = JSON.parse(reveal(await secrets.open(value), "parse")) as Record<string, string>;
  return Object.fromEntries(asked_passwords.map((name) => [name, conceal(given[name])]));
}

/** Throws 400 unless the operator lets runners have keys and passwords of people. */
function requireOnRunners({ config }: Pick<Deps, "config">): void {
  if (!config.personalOnRunners) {
    throw new AppError(400, "errors.personal.runners_off", { setting: SETTING });
  }
}

const SETTING = "CALLBOARD_OWN_KEYS_ON_RUNNERS";

/**
 * Throws 400 for a runner that must not get a person's key or password. Managers of a project
 * register its runners, and could read what these get.
 */
export function requireTrustedRunner(
  deps: Pick<Deps, "config">,
  task: TaskRow,
  { project_id }: Pick<RunnerRow, "project_id">,
): void {
  if (!isPersonal(task)) return;
  requireOnRunners(deps);
  if (project_id !== null) throw new AppError(400, "errors.personal.project_runner");
}

/** Whether only its starter may confirm a task: no preview has shown what it will do. */
export const onlyStarterConfirms = (task: TaskRow, userId: number): boolean =>
  isPersonal(task) && !task.preview && task.user_id !== userId;
