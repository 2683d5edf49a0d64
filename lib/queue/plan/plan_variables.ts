import type { Deps } from "../../access/deps.ts";
import { AppError } from "../../base/errors.ts";
import { memberTexts, parseExact } from "../../base/text/exact_json.ts";
import { byteLength } from "../../base/fields.ts";
import { conceal, referenceOf, reveal, type Secret } from "../../base/secret.ts";
import type { AnsiblePlan } from "../../execution/ansible/plan.ts";
import { referredSecret } from "../../execution/sources/reference.ts";
import { environmentRows } from "../../resources/environments/repository.ts";
import type { EnvironmentSecret } from "../../resources/environments/schema.ts";
import { planStorage } from "../../resources/secret_storages/source.ts";
import { readAnswers, readSecretAnswers } from "../../tasks/answer_store.ts";
import type { TaskRow } from "../../model/task_row.ts";
import { environmentIds } from "../../templates/schema.ts";
import { present } from "../../resources/common/present.ts";
import type { Checked } from "../inputs/pins.ts";

type Variables = Pick<
  AnsiblePlan,
  "extraVars" | "extraVarTexts" | "answers" | "secretVars" | "env" | "secretEnv"
>;

type EnvironmentVariables =
  & Omit<Variables, "answers" | "extraVarTexts">
  & Required<Pick<AnsiblePlan, "extraVarTexts">>;

/** Returns the variables of the task's environments and its answers, by destination. */
export async function variablesOf(
  deps: Deps,
  task: TaskRow,
  checked: Checked,
): Promise<Variables> {
  const [set, text, secretAnswers] = await Promise.all([
    environmentOf(deps, task, checked),
    readAnswers(deps.kv, task),
    secretAnswersOf(deps, task),
  ]);
  const answers = parseExact(text) as Record<string, unknown>;
  const toEnvironment = new Set(task.environment_targets);
  const split = <T>(of: Record<string, T>, wanted: boolean) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => toEnvironment.has(name) === wanted));
  const env = { ...set.env, ...texts(split(answers, true)) };
  const secretEnv = { ...set.secretEnv, ...split(secretAnswers, true) };
  requireFitting({ ...env, ...secretEnv });
  return {
    extraVars: set.extraVars,
    ...Object.keys(set.extraVarTexts).length > 0 && { extraVarTexts: set.extraVarTexts },
    answers: split(answers, false),
    secretVars: { ...set.secretVars, ...split(secretAnswers, false) },
    env,
    secretEnv,
  };
}

const texts = (of: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [
      name,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );

/**
 * Returns the variables of all the task's environments. For equal names the later environment wins,
 * secret or not.
 */
async function environmentOf(
  deps: Deps,
  task: TaskRow,
  checked: Checked,
): Promise<EnvironmentVariables> {
  let all: EnvironmentVariables = {
    extraVars: {},
    extraVarTexts: {},
    env: {},
    secretVars: {},
    secretEnv: {},
  };
  for (const id of environmentIds(task)) {
    const next = await readEnvironment(deps, task.project_id, id, checked);
    all = {
      extraVars: { ...without(all.extraVars, next.secretVars), ...next.extraVars },
      extraVarTexts: {
        ...without(all.extraVarTexts, { ...next.secretVars, ...next.extraVars }),
        ...next.extraVarTexts,
      },
      env: { ...without(all.env, next.secretEnv), ...next.env },
      secretVars: { ...without(all.secretVars, next.extraVars), ...next.secretVars },
      secretEnv: { ...without(all.secretEnv, next.env), ...next.secretEnv },
    };
  }
  return all;
}

const without = <T>(variables: Record<string, T>, names: object): Record<string, T> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !Object.hasOwn(names, name)));

async function readEnvironment(
  { kv, secrets }: Deps,
  projectId: number,
  id: number,
  checked: Checked,
): Promise<EnvironmentVariables> {
  const row = checked(
    "environment",
    await present("environment", environmentRows.find(kv, projectId, id)),
  );
  const openValue = async ({ sealed, source, name: variable }: EnvironmentSecret) => {
    if (sealed.length > 0) return await secrets.open(sealed);
    if (source) {
      const { path, field } = source;
      const storage = await planStorage({ kv, secrets }, projectId, source);
      return referredSecret({ storage, path, names: field ? [field] : [variable, "value"] });
    }
    throw new AppError(400, "errors.run.empty_secret", { name: row.name, variable });
  };
  const opened = await Promise.all(
    row.secrets.map(async (secret) => ({
      type: secret.type,
      pair: [secret.name, await openValue(secret)] as const,
    })),
  );
  const ofType = (wanted: "var" | "env"): Record<string, Secret> =>
    Object.fromEntries(opened.filter(({ type }) => type === wanted).map(({ pair }) => pair));
  const env = parseExact(row.env || "{}") as Record<string, unknown>;
  return {
    extraVars: parseExact(row.json || "{}") as Record<string, unknown>,
    extraVarTexts: orderedTexts(row.json),
    env: texts(env),
    secretVars: ofType("var"),
    secretEnv: ofType("env"),
  };
}

/** Returns the JSON of members that have names which JavaScript would move to the front. */
const orderedTexts = (json: string): Record<string, string> =>
  MOVED.test(json)
    ? Object.fromEntries(memberTexts(json).entries().filter(([, text]) => MOVED.test(text)))
    : {};
const MOVED = /"\d+"\s*:/;

/** Returns the answers to the survey's secret questions. */
export async function secretAnswersOf(
  { kv, secrets }: Deps,
  task: TaskRow,
): Promise<Record<string, Secret>> {
  if (!task.has_secrets) return {};
  const sealed = await readSecretAnswers(kv, task.id);
  if (sealed.length === 0) return {};
  const answers = JSON.parse(reveal(await secrets.open(sealed), "parse")) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [name, conceal(answer)]),
  );
}

/** Limits of Linux for one variable with its name, and for all variables of a new process. */
const VARIABLE_BYTES_MAX = 128 * 1024 - 1;
const VARIABLES_BYTES_MAX = 1024 * 1024;

/** Throws AppError for variables that are too large to start a process with. */
function requireFitting(variables: Record<string, string | Secret>): void {
  let sum = 0;
  for (const [name, value] of Object.entries(variables)) {
    // Texts that are read later are shorter: see `ANSWER_BYTES_MAX`.
    if (typeof value !== "string" && referenceOf(value)) continue;
    const bytes = byteLength(`${name}=${reveal(value, "parse")}`);
    if (bytes > VARIABLE_BYTES_MAX) {
      const params = { name, max: VARIABLE_BYTES_MAX };
      throw new AppError(400, "errors.run.variable_too_long", params);
    }
    sum += bytes;
  }
  if (sum <= VARIABLES_BYTES_MAX) return;
  throw new AppError(400, "errors.run.variables_too_long", { max: VARIABLES_BYTES_MAX });
}
