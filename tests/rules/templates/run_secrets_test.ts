import assert from "node:assert/strict";
import { secretsIn } from "@/lib/base/secret.ts";
import { makePlan } from "@/lib/queue/plan/make_plan.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { inventoryForm, repositoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

const PRIVATE_KEY =
  "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n";

Deno.test("secrets of a run are masked because they are in its plan, and hidden there", async () => {
  await using world = await newWorld();
  const create = async (noun: string, body: object) => {
    const path = `/api/project/${world.web.id}/${noun}`;
    const made = await world.api("mike", "POST", path, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const passwordKey = (password: string) =>
    create("keys", {
      name: password,
      type: "login_password",
      login_password: { login: "root", password },
    });
  const ssh = { login: "git", passphrase: "secret passphrase", private_key: PRIVATE_KEY };
  const sshKey = await create("keys", { name: "Ssh", type: "ssh", ssh });
  const repository = (userinfo: string) =>
    create(
      "repositories",
      repositoryForm(world, {
        name: userinfo,
        git_url: `https://${userinfo}@git.example.com/x.git`,
        ssh_key_id: sshKey,
      }),
    );
  const secret = (type: string) => ({
    type,
    name: `S_${type}`,
    secret: `secret ${type}`,
    operation: "create",
  });
  const variable = (name: string, target: string) => ({
    name,
    title: name,
    type: "secret",
    target,
    required: true,
  });
  const template_id = await create(
    "templates",
    templateForm(world, {
      repository_id: await repository("secret%20token"),
      inventory_id: await create(
        "inventory",
        inventoryForm(world, {
          type: "file",
          inventory: "hosts",
          ssh_key_id: await passwordKey("secret sign-in"),
          become_key_id: await passwordKey("secret become"),
          repository_id: await repository("bob:secret%20in%20url"),
        }),
      ),
      environment_id: await create("environment", {
        name: "Secrets",
        secrets: [secret("var"), secret("env")],
      }),
      vaults: [{ name: "v", type: "password", vault_key_id: await passwordKey("secret vault") }],
      survey_vars: [variable("a_var", ""), variable("A_ENV", "env")],
    }),
  );
  const sent = { a_var: "secret answer", A_ENV: "secret answer in env" };
  const id = await create("tasks", { template_id, secret: sent });
  const plan = await makePlan(world.deps, await getTaskRow(world.kv, world.web.id, id));

  assert.deepEqual(
    new Set(secretsIn(plan).map(revealed)),
    new Set([
      PRIVATE_KEY,
      ...["passphrase", "token", "sign-in", "become", "in url", "var", "env", "vault"]
        .map((name) => `secret ${name}`),
      "secret%20token",
      ...Object.values(sent),
    ]),
  );
  const readable = JSON.stringify(plan) + Deno.inspect(plan, { depth: 99, showHidden: true });
  assert.doesNotMatch(readable, /secret (?!variable)|secret%20|PRIVATE KEY/);
});
