import assert from "node:assert/strict";
import { addPasswordKey, inventoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pageOf = ({ web }: World, page: string) => `/project/${web.id}/${page}`;

/** Returns the value that a browser sends for a select of Mike's page; null without that select. */
async function chosen(world: World, page: string, name: string): Promise<string | null> {
  const html = await htmlOf(await world.get("mike", pageOf(world, page)));
  const [, options] = new RegExp(`<select[^>]* name="${name}"[^>]*>(.*?)</select>`).exec(html) ??
    [];
  if (options === undefined) return null;
  const values = [...options.matchAll(/<option([^>]*)>/g)].map(([, attributes]) => ({
    value: /value="([^"]*)"/.exec(attributes)?.[1] ?? "",
    isSelected: /\bselected\b/.test(attributes),
  }));
  return (values.find(({ isSelected }) => isSelected) ?? values[0]).value;
}

async function make(world: World, path: string, body: unknown): Promise<number> {
  const answer = await world.api("alice", "POST", `/api${pageOf(world, path)}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Required fields that have one choice in the world, by form. */
const REQUIRED = [
  ["repositories/new", "ssh_key_id", "keyId"],
  ["inventory/new", "ssh_key_id", "keyId"],
  ["templates/new/edit", "repository_id", "repositoryId"],
  ["templates/new/edit", "inventory_id", "inventoryId"],
  ["schedules/new", "template_id", "templateId"],
  ["integration/new", "template_id", "templateId"],
] as const;

Deno.test("a new form fills in the only choice of a required field", async () => {
  await using world = await newWorld();
  for (const [page, name, id] of REQUIRED) {
    assert.equal(
      await chosen(world, page, name),
      String(world.web[id]),
      `${page}: ${name}`,
    );
  }
});

Deno.test("with a second choice the reader chooses", async () => {
  await using world = await newWorld();
  await make(world, "keys", { name: "Another", type: "none" });
  await make(world, "inventory", inventoryForm(world));
  await make(world, "templates", templateForm(world));
  for (const [page, name] of REQUIRED.filter(([, name]) => name !== "repository_id")) {
    assert.equal(await chosen(world, page, name), "", `${page}: ${name}`);
  }
});

Deno.test("an optional field keeps its empty choice", async () => {
  await using world = await newWorld();
  await addPasswordKey(world);
  await make(world, "views", { title: "Nightly" });
  for (
    const [page, name] of [
      ["inventory/new", "become_key_id"],
      ["inventory/new", "repository_id"],
      ["templates/new/edit", "view_id"],
      ["schedules/new", "repository_id"],
    ] as const
  ) assert.equal(await chosen(world, page, name), "", `${page}: ${name}`);
});

Deno.test("the form of something stored shows what is stored", async () => {
  await using world = await newWorld();
  const keyless = inventoryForm(world, { ssh_key_id: null });
  const id = await make(world, "inventory", keyless);
  assert.equal(await chosen(world, `inventory/${id}`, "ssh_key_id"), "");
});

Deno.test("questions with one answer are answered, in a start and in the schedule of the only template", async () => {
  await using world = await newWorld();
  const values = [{ name: "Europe", value: "eu" }];
  const region = { name: "region", title: "Region", type: "enum", required: true, values };
  const body = templateForm(world, {
    survey_vars: [region, { ...region, name: "backup", title: "Backup", required: false }],
  });
  const path = `/api${pageOf(world, `templates/${world.deploy.id}`)}`;
  const stored = await world.api("alice", "PUT", path, { ...body, id: world.deploy.id });
  assert.ok(stored.status < 300, JSON.stringify(stored.body));
  for (const page of [`templates/${world.deploy.id}/tasks`, "schedules/new"]) {
    assert.equal(await chosen(world, page, "answers.region"), "eu", page);
    assert.equal(await chosen(world, page, "answers.backup"), "", page);
  }
});

Deno.test("a build and the only person who is not in the team are chosen", async () => {
  await using world = await newWorld();
  await make(world, "templates", templateForm(world, { type: "build", start_version: "1" }));
  assert.notEqual(await chosen(world, "templates/new/edit", "build_template_id"), "");
  await world.api("alice", "POST", `/api${pageOf(world, "users")}`, {
    user_id: world.people.erin.id,
    role: "guest",
  });
  const html = await htmlOf(await world.get("alice", pageOf(world, "team/new")));
  assert.match(html, new RegExp(`<option value="${world.people.dave.id}" selected`));
});
