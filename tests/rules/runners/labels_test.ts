import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { runnerForm } from "@/lib/runners/schema.ts";
import { createRunner } from "@/lib/runners/service.ts";
import { findOpenTask } from "@/lib/tasks/open_tasks.ts";
import { findTask } from "@/lib/model/tasks.ts";
import { inventoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { fieldOf, htmlOf, textOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const below = ({ web }: World, path: string) => `/api/project/${web.id}/${path}`;

async function make(world: World, path: string, form: Record<string, unknown>) {
  const { status, body } = await world.api("alice", "POST", below(world, path), form);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function startOf(world: World, form: Record<string, unknown>) {
  const { id } = await make(world, "tasks", form);
  return {
    task: await findTask(world.kv, world.web.id, id),
    open: await findOpenTask(world.kv, id),
  };
}

const SENT: [sent: unknown, echoed: string | null][] = [
  ["dmz", "dmz"],
  ["DMZ, arm64  eu-1,dmz", "dmz,arm64,eu-1"],
  [["dmz", "arm64"], "dmz,arm64"],
  ["", ""],
  [" , ", ""],
  [null, null],
  [undefined, null],
];

Deno.test("templates and inventories echo the labels of runners that they require", async () => {
  await using world = await newWorld();
  for (const [sent, echoed] of SENT) {
    for (
      const [path, form] of [
        ["templates", templateForm(world, { name: crypto.randomUUID(), runner_tag: sent })],
        ["inventory", inventoryForm(world, { name: crypto.randomUUID(), runner_tag: sent })],
      ] as const
    ) {
      const made = await make(world, path, form);
      assert.equal(made.runner_tag, echoed, `${path}: ${JSON.stringify(sent)}`);
      const read = await world.api("alice", "GET", below(world, `${path}/${made.id}`));
      assert.equal(read.body.runner_tag, echoed);
      assert.ok(!("runner_labels" in read.body));
    }
  }
});

const REFUSED: [sent: unknown, sentence: RegExp][] = [
  ["dmz/1", /letters, digits/],
  ["é", /letters, digits/],
  ["a".repeat(51), /letters, digits/],
  [Array.from({ length: 21 }, (_, n) => `l${n}`).join(), /20/],
];

Deno.test("a wrong label is refused", async () => {
  await using world = await newWorld();
  for (const [runner_tag, sentence] of REFUSED) {
    const path = below(world, "templates");
    const form = templateForm(world, { runner_tag });
    const { status, body } = await world.api("alice", "POST", path, form);
    assert.equal(status, 400, String(runner_tag));
    assert.match(JSON.stringify(body), sentence);
  }
});

Deno.test("a task copies the labels of its template and of its own inventory", async () => {
  await using world = await newWorld();
  const production = await make(
    world,
    "inventory",
    inventoryForm(world, { runner_tag: "dmz,prod" }),
  );
  const staging = await make(world, "inventory", inventoryForm(world, { name: "Staging" }));
  const template = await make(
    world,
    "templates",
    templateForm(world, {
      inventory_id: production.id,
      runner_tag: "arm64,dmz",
      task_params: { allow_override_inventory: true },
    }),
  );
  const form = { template_id: template.id };

  const whole = await startOf(world, form);
  assert.deepEqual(whole.task?.runner_labels, ["arm64", "dmz", "prod"]);
  assert.deepEqual(whole.open?.labels, ["arm64", "dmz", "prod"]);

  const other = await startOf(world, { ...form, inventory_id: staging.id });
  assert.deepEqual(other.task?.runner_labels, ["arm64", "dmz"]);

  const plain = await startOf(world, { template_id: world.web.templateId });
  assert.ok(plain.task && plain.open);
  assert.ok(!("runner_labels" in plain.task) && !("labels" in plain.open));
});

Deno.test("forms show the labels, save them, and keep what was typed", async () => {
  await using world = await newWorld();
  const { web } = world;
  const made = await make(world, "inventory", inventoryForm(world, { runner_tag: "dmz,arm64" }));
  const page = `/project/${web.id}/inventory/${made.id}`;
  await createRunner(
    await openProject(
      { deps: world.deps, actor: world.people.alice.actor },
      web.id,
      "manage_runners",
    ),
    runnerForm.parse({ name: "dmz-1", labels: "eu-1" }),
  );
  const shown = await htmlOf(await world.get("alice", page));
  assert.match(fieldOf(shown, "runner_tag"), / value="dmz, arm64"/);
  assert.match(shown, /<datalist id="known-labels"[^>]*><option[^>]* value="eu-1"/);

  const fields = { name: "Production", type: "static", inventory: "h", ssh_key_id: `${web.keyId}` };
  const saved = await world.post("alice", page, { ...fields, runner_tag: "DMZ, eu-1" });
  assert.equal(saved.status, 303);
  const read = await world.api("alice", "GET", below(world, `inventory/${made.id}`));
  assert.equal(read.body.runner_tag, "dmz,eu-1");

  const refused = await world.post("alice", page, { ...fields, runner_tag: "dmz/1" });
  assert.equal(refused.status, 422);
  const html = await htmlOf(refused);
  assert.match(fieldOf(html, "runner_tag"), / value="dmz\/1"/);
  assert.match(html, /lowercase letters/);
});

Deno.test("a project's settings say that tasks run only on runners", async () => {
  await using world = await newWorld();
  const page = `/project/${world.web.id}/settings`;
  const stored = async () => (await world.api("alice", "GET", below(world, ""))).body.only_runners;
  await world.post("alice", page, { name: "Web", only_runners: "true" });
  assert.equal(await stored(), true);
  await world.api("alice", "PUT", below(world, ""), { name: "Web shop" });
  assert.equal(await stored(), true, "a client that does not know it keeps it");
  await world.post("alice", page, { name: "Web" });
  assert.equal(await stored(), false);
});

Deno.test("the start dialog and the task's page say where it runs", async () => {
  await using world = await newWorld();
  const { web } = world;
  const inventory = await make(world, "inventory", inventoryForm(world, { runner_tag: "dmz" }));
  const form = templateForm(world, { inventory_id: inventory.id, runner_tag: "arm64" });
  const template = await make(world, "templates", form);
  const read = async (path: string) =>
    textOf(
      await htmlOf(
        await world.request(path, {
          headers: { Cookie: `callboard=${world.people.bob.token}; zone=UTC` },
        }),
      ),
    );
  const dialog = `/project/${web.id}/templates/${template.id}/tasks`;
  assert.match(await read(dialog), /Runs on\s*A runner with the labels arm64, dmz/);

  const { task } = await startOf(world, { template_id: template.id });
  const page = `/project/${web.id}/tasks/${task!.id}`;
  assert.match(await read(page), /Runner\s*A runner with the labels arm64, dmz/);

  const plain = `/project/${web.id}/templates/${web.templateId}/tasks`;
  assert.doesNotMatch(await read(plain), /Runs on/);
  await world.api("alice", "PUT", below(world, ""), { name: "Web", only_runners: true });
  assert.match(await read(plain), /Runs on\s*Any runner of the project/);
});
