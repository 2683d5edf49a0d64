import assert from "node:assert/strict";
import { defOf } from "@/lib/web/schema_def.ts";
import { withoutSecrets } from "@/lib/web/forms/units.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import type * as z from "zod";
import { readSources } from "@/tests/support/house/sources.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { listTaskRows } from "@/lib/tasks/repository.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Returns the pages that have a field for each secret that can be typed into a form. */
async function pagesOf(world: World): Promise<string[]> {
  const { web, deploy, people } = world;
  const project = `/project/${web.id}`;
  const api = `/api${project}/templates/${deploy.id}`;
  const { body } = await world.api("alice", "GET", api);
  const asked = { name: "db_password", title: "Database password", type: "secret" };
  const passwords = { ask_ssh_password: true, ask_become_password: true, ask_vault_password: true };
  await world.api("alice", "PUT", api, { ...body, ...passwords, survey_vars: [asked] });
  return [
    `${project}/keys/new`,
    `${project}/keys/${web.keyId}`,
    `${project}/environment/${await environmentWithSecret(world)}`,
    `${project}/secret_storages/new`,
    `${project}/templates/${deploy.id}/tasks`,
    `/users/${people.bob.id}`,
    "/users/new",
    "/account",
    "/account/security",
    "/account/keys/new",
  ];
}

async function environmentWithSecret(world: World): Promise<number> {
  const secrets = [{ name: "token", type: "var", secret: "4711", operation: "create" }];
  const environment = { name: "Secret", json: "{}", secrets };
  const path = `/api/project/${world.web.id}/environment`;
  return (await world.api("alice", "POST", path, environment)).body.id;
}

/** Returns the names of text fields in the API's bodies that look as if they held a secret. */
function suspiciousNames(): Set<string> {
  const found = new Set<string>();
  const walk = (schema: z.core.$ZodType, name: string, depth = 0) => {
    if (depth > 8) return;
    const { def } = defOf(schema);
    if (def.type === "object") {
      for (const [member, its] of Object.entries(def.shape)) {
        walk(its, name === "" ? member : `${name}.${member}`, depth + 1);
      }
    } else if (def.type === "array") walk(def.element, `${name}.0`, depth + 1);
    else if (def.type === "string" && /pass|secret|token|private|credential/i.test(name)) {
      found.add(name);
    }
  };
  for (const { body } of allOperations) if (body) walk(body, "");
  return found;
}

/** Suspicious names in the API that are not in any form, or that are not secret. */
const NOT_TYPED = new Set([
  // Names an environment's secret, whose value is `secret`.
  "secrets.0.name",
  "secrets.0.type",
  "secrets.0.operation",
  "secrets.0.source.type",
  "secrets.0.source.path",
  "secrets.0.source.field",
  "login_password.login",
  // Sent by the program of a runner.
  "token",
  "registration_token",
]);

Deno.test("each field that never shows what was typed says so, whatever secret the API takes", async () => {
  await using world = await newWorld();
  const marked = new Set<string>();
  for (const path of await pagesOf(world)) {
    const person = path.startsWith("/users") ? "erin" : "alice";
    const html = await (await world.get(person, path)).text();
    const marks = [...html.matchAll(/name="secret_field" value="([^":]*):/g)].map(([, n]) => n);
    for (const name of marks) marked.add(name);
    const hidden = [
      ...html.matchAll(/<(?:input\b[^>]*type="password"|textarea[^>]*data-secret)[^>]*>/g),
    ]
      .map(([tag]) => / name="([^"]*)"/.exec(tag)![1]);
    assert.ok(hidden.length > 0, path);
    assert.deepEqual(hidden.filter((name) => !marks.includes(name)), [], path);
  }
  assert.ok(marked.has("answers.db_password"), "secret answers too");
  const unmarked = [...suspiciousNames()].filter((name) =>
    !marked.has(name) && !NOT_TYPED.has(name)
  );
  assert.deepEqual(unmarked, [], "mark their fields, or say in NOT_TYPED why not");
});

const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----\n${"b3Blbn\n".repeat(3)}-----END-----\n`;

/** Secrets as browsers send them, and as the play gets them. */
const TYPED = [
  [KEY.replaceAll("\n", "\r\n"), KEY],
  [" swordfish \t\r\n", " swordfish \t"],
  ["sword\r\nfish", "sword\nfish"],
];

Deno.test("secret variables and answers keep their lines, and a line pasted with its end is one", async () => {
  await using world = await newWorld();
  const { web, deploy, deps, kv } = world;
  const project = `/project/${web.id}`;
  const api = `/api${project}/templates/${deploy.id}`;
  const { body } = await world.api("alice", "GET", api);
  const survey_vars = [{ name: "answer", title: "Answer", type: "secret" }];
  const template = { ...body, type: "", survey_vars };
  for (const [typed, expected] of TYPED) {
    const secret = {
      "secrets.0.name": "stored",
      "secrets.0.type": "var",
      "secrets.0.secret": typed,
    };
    const marks = { "secret_field": "secrets.0.secret:Value" };
    const fields = { name: "Prod", json: "{}", env: "{}", ...secret, ...marks };
    const made = await world.post("alice", `${project}/environment/new`, fields);
    assert.equal(made.status, 303);
    const environments = await world.api("alice", "GET", `/api${project}/environment`);
    const environment_id = Math.max(...environments.body.map(({ id }: { id: number }) => id));
    const environment_ids = [environment_id];
    await world.api("alice", "PUT", api, { ...template, environment_id, environment_ids });
    const started = await world.post("alice", `${project}/templates/${deploy.id}/tasks`, {
      "answers.answer": typed,
      secret_field: "answers.answer:Answer",
    });
    assert.equal(started.status, 303, await started.text());
    const [task] = await listTaskRows(kv, web.id, { limit: 1 });
    const { secretVars } = await makePlan(deps, task);
    assert.deepEqual(revealed(secretVars), { stored: expected, answer: expected });
  }
});

Deno.test("passwords are typed into `Field` alone, which marks them", async () => {
  const sources = await readSources(/^(components|islands|routes)\/.*\.tsx$/);
  const raw = [...sources].filter(([file, text]) =>
    file !== "components/ui/forms/Field.tsx" && /<input\b[^>]*password/.test(text)
  );
  assert.deepEqual(raw.map(([file]) => file), []);
});

Deno.test("marked fields and the login of a URL are left out of a saved form", () => {
  const typed = {
    name: "Web",
    password: "hunter2",
    token: "",
    url: "https://me:hunter2@example.com/x.git",
    "secret_field.0": "password:Password",
    "secret_field.1": "token:Token: old",
  };
  assert.deepEqual(withoutSecrets(typed), {
    values: { name: "Web", url: "https://example.com/x.git" },
    secrets: [{ name: "password", label: "Password" }, { name: "url", label: "" }],
  });
});
