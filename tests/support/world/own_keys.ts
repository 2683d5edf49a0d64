import assert from "node:assert/strict";
import { secretsIn } from "@/lib/base/secret.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { newPrivateKey } from "@/lib/resources/keys/key_pair.ts";
import type { AnsiblePlan } from "@/lib/execution/ansible/plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import type { Person } from "./cast.ts";
import { templateForm } from "./forms.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import type { World } from "./world.ts";

type Body = Record<string, unknown>;

/** Creates something in the web project as its owner, and returns its id. */
export async function makeInProject(world: World, path: string, body: Body): Promise<number> {
  const made = await world.api("alice", "POST", `/api/project/${world.web.id}/${path}`, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

/** Gives a person an own SSH key. */
export async function giveKey(world: World, person: Person, name = "Laptop") {
  const privateKey = newPrivateKey(name);
  const ssh = { login: person, private_key: privateKey, passphrase: "" };
  const { status, body } = await world.api(person, "POST", "/api/user/keys", { name, ssh });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.id as number, privateKey, publicKey: body.public_key as string };
}

/** Creates a template whose tasks use the key of their starter. */
export const personalTemplate = (world: World, fields: Body = { own_key: true }) =>
  makeInProject(world, "templates", templateForm(world, { name: "Personal", ...fields }));

/** Sends a task. */
export const sendTask = (world: World, person: Person, template_id: number, more: Body = {}) =>
  world.api(person, "POST", `/api/project/${world.web.id}/tasks`, { template_id, ...more });

/** Starts a task, with the first key of the person unless `more` says otherwise. Returns its id. */
export async function startPersonal(
  world: World,
  person: Person,
  template: number,
  more: Body = {},
): Promise<number> {
  const [key] = (await world.api(person, "GET", "/api/user/keys")).body;
  const { status, body } = await sendTask(world, person, template, {
    own_key_id: key?.id,
    ...more,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** Returns the plan of a task, as its run would get it. */
export const planOf = async ({ deps, kv, web }: World, id: number): Promise<AnsiblePlan> =>
  makePlan(deps, await getTaskRow(kv, web.id, id));

/** Returns all secrets of a plan. */
export const secretTexts = (plan: AnsiblePlan): string[] => secretsIn(plan).map(revealed);
