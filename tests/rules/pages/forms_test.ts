import assert from "node:assert/strict";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Returns the list of errors above a form that Mike sends. Each line is a link to its field. */
async function wrongIn(world: World, path: string, fields: Record<string, string>) {
  const answer = await world.post("mike", `/project/${world.web.id}/${path}`, fields);
  assert.equal(answer.status, 422, path);
  const html = await answer.text();
  return [...html.matchAll(/<a href="#(field-[^"]*)">([^<:]*): [^<]*<\/a>/g)].map(
    ([, id, label]) => {
      assert.match(html, new RegExp(`id="${id}"`), `${label} leads to its field`);
      assert.match(html, new RegExp(`id="${id}-error"`), `${label} is told at its field`);
      return label;
    },
  );
}

Deno.test("all errors of a form are shown together, in its order, also those that only its type has", async () => {
  await using world = await newWorld();
  const template = {
    name: "",
    playbook: "",
    inventory_id: "",
    repository_id: "",
    environment_id: "",
  };
  const secret = { "secrets.0.name": "", "secrets.0.type": "var", "secrets.0.secret": "x" };
  const cases: [path: string, fields: Record<string, string>, labels: string[]][] = [
    ["templates/new/edit", { ...template, type: "build", start_version: "" }, [
      "Name",
      "Start version",
      "Repository",
      "Playbook filename",
      "Inventory",
      "Environment",
    ]],
    ["templates/new/edit", { ...template, name: "x", type: "deploy", build_template_id: "" }, [
      "Build template",
      "Repository",
      "Playbook filename",
      "Inventory",
      "Environment",
    ]],
    ["repositories/new", { name: "", git_url: "git@x:y", git_branch: "", ssh_key_id: "" }, [
      "Name",
      "Branch",
      "Access key",
    ]],
    ["keys/new", { name: "", type: "ssh", "ssh.private_key": "" }, ["Key name", "Private key"]],
    ["keys/new", { name: "", type: "login_password", "login_password.password": "" }, [
      "Key name",
      "Password",
    ]],
    ["inventory/new", { name: "", type: "file", path: "", ssh_key_id: "" }, [
      "Name",
      "User credentials",
      "Path to inventory file",
    ]],
    ["integration/new", { name: "", template_id: "", auth_method: "hmac" }, [
      "Name",
      "Task template to run",
      "Auth header",
      "Secret",
    ]],
    ["environment/new", { name: "", json: "{", env: "{}", ...secret }, [
      "Environment name",
      "Extra variables",
      "Secret 1, Variable",
    ]],
  ];
  for (const [path, fields, labels] of cases) {
    assert.deepEqual(await wrongIn(world, path, fields), labels, path);
  }
});

Deno.test("a question of a survey that is wrong is called by its title", async () => {
  await using world = await newWorld();
  const fields = {
    type: "",
    name: "Restart",
    playbook: "restart.yml",
    inventory_id: String(world.web.inventoryId),
    repository_id: String(world.web.repositoryId),
    environment_id: String(world.web.environmentId),
    "survey_vars.0.name": "",
    "survey_vars.0.title": "Region",
    "survey_vars.0.type": "enum",
    "survey_vars.1.name": "zone",
    "survey_vars.1.title": "",
  };
  assert.deepEqual(await wrongIn(world, "templates/new/edit", fields), [
    "Region, Name",
    "Region, Choices",
    "Variable 2, Title",
  ]);
});

Deno.test("a secret that was typed beside a mistake is not sent back, and its field says so", async () => {
  await using world = await newWorld();
  const page = `/project/${world.web.id}/keys/new`;
  const typed = { name: "", type: "login_password", "login_password.password": "swordfish" };
  const response = await world.post("alice", page, typed);
  assert.equal(response.status, 422);
  const html = await response.text();
  assert.ok(!html.includes("swordfish"));
  assert.deepEqual(
    [...html.matchAll(/id="([^"]*)-lost"/g)].map(([, id]) => id),
    ["field-login_password-password"],
    "only what was typed is to be typed again",
  );
  assert.match(html, /aria-describedby="field-login_password-password-lost"/);
  assert.doesNotMatch(await htmlOf(await world.get("alice", page)), /-lost"/);
});
