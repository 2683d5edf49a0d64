import { openProject, withPermission } from "@/lib/access/scope.ts";
import assert from "node:assert/strict";
import { inventoryService } from "@/lib/resources/inventories/service.ts";
import { inventoryForm as inventorySchema } from "@/lib/resources/inventories/schema.ts";
import { keyService } from "@/lib/resources/keys/service.ts";
import { keyChangeForm, keyForm } from "@/lib/resources/keys/schema.ts";
import { RESOURCE_KINDS, rowKeys } from "@/lib/store/keys.ts";
import { repositoryService } from "@/lib/resources/repositories/service.ts";
import { repositoryBody as repositorySchema } from "@/lib/resources/repositories/schema.ts";
import { createSchedule } from "@/lib/triggers/schedules/service.ts";
import { scheduleForm } from "@/lib/triggers/schedules/schema.ts";
import { templateForm as templateSchema } from "@/lib/templates/schema.ts";
import { createCheckedTemplate, updateCheckedTemplate } from "@/lib/triggers/checks/templates.ts";
import { deleteTemplate } from "@/lib/maintenance/templates.ts";
import { viewForm } from "@/lib/templates/views/schema.ts";
import { viewService } from "@/lib/templates/views/service.ts";
import { inventoryForm, repositoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

type Row = Record<string, unknown>;

const PAIRS = 200;
const FIELDS: Record<string, string> = {
  ssh_key_id: "keys",
  become_key_id: "keys",
  vault_key_id: "keys",
  repository_id: "repositories",
  inventory_id: "inventories",
  environment_id: "environments",
  view_id: "views",
  template_id: "templates",
  build_template_id: "templates",
};

/** Returns every id in a row of the project that refers to nothing. */
async function listDangling({ kv, web }: World): Promise<string[]> {
  const dangling: string[] = [];
  for (const kind of RESOURCE_KINDS) {
    for await (const { key, value } of kv.list<Row>({ prefix: rowKeys.resources(kind, web.id) })) {
      const vaults = (value.vaults ?? []) as Row[];
      for (const [field, id] of [value, ...vaults].flatMap((row) => Object.entries(row))) {
        if (!(field in FIELDS) || id === null) continue;
        const target = await kv.get([FIELDS[field], web.id, id as number]);
        if (target.value === null) dangling.push(`${key.join("/")}: ${field} ${id}`);
      }
    }
  }
  return dangling;
}

/** Creates a world with the scope of someone who manages the resources of its project. */
async function newStage() {
  const world = await newWorld();
  const { deps, people: { mike: { actor } }, web } = world;
  const manager = await openProject({ deps, actor }, web.id, "manage_resources");
  const scope = withPermission(withPermission(manager, "manage_keys"), "manage_triggers");
  return { world, scope, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Runs both in parallel, starting with each in turn. At least one of them must succeed. */
async function race(turn: number, a: () => Promise<unknown>, b: () => Promise<unknown>) {
  const results = await Promise.allSettled(turn % 2 ? [a(), b()] : [b(), a()]);
  const reasons = results.flatMap((result) => result.status === "rejected" ? [result.reason] : []);
  for (const { status } of reasons) assert.ok([400, 404, 409].includes(status), String(reasons));
  assert.ok(reasons.length < 2, `both were refused: ${reasons}`);
  return reasons.length;
}

const anyKey = (fields: Row = {}) => keyForm.parse({ name: "Key", type: "none", ...fields });

const PRIVATE_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----";

Deno.test("a deletion during the creation of a reference leaves nothing dangling", async () => {
  await using stage = await newStage();
  const { world, scope } = stage;
  let refused = 0;
  for (let turn = 0; turn < PAIRS; turn++) {
    const key = await keyService.create(scope, anyKey());
    const form = repositorySchema.parse(repositoryForm(world, { ssh_key_id: key.id }));
    refused += await race(
      turn,
      () => keyService.delete(scope, key.id),
      () => repositoryService.create(scope, form),
    );
  }
  assert.deepEqual(await listDangling(world), []);
  assert.equal(refused, PAIRS, "each time one of the two had to give way");
});

Deno.test("inventories in a repository, and builds and their deploys, leave nothing dangling", async () => {
  await using stage = await newStage();
  const { world, scope } = stage;
  const template = (fields: Row) => templateSchema.parse(templateForm(world, fields));
  for (let turn = 0; turn < 40; turn++) {
    const repository = await repositoryService.create(
      scope,
      repositorySchema.parse(repositoryForm(world)),
    );
    const file = inventoryForm(world, {
      type: "file",
      inventory: "hosts",
      repository_id: repository.id,
    });
    await race(
      turn,
      () => repositoryService.delete(scope, repository.id),
      () => inventoryService.create(scope, inventorySchema.parse(file)),
    );
    const form = template({ type: "build", start_version: "1" });
    const build = await createCheckedTemplate(scope, form);
    const deploy = template({ type: "deploy", build_template_id: build.id });
    await race(
      turn,
      () => deleteTemplate(scope, build.id),
      () => createCheckedTemplate(scope, deploy),
    );
  }
  assert.deepEqual(await listDangling(world), []);
});

Deno.test("a template goes with its schedules, also with one that is being created", async () => {
  await using stage = await newStage();
  const { world, scope } = stage;
  for (let turn = 0; turn < 40; turn++) {
    const form = templateSchema.parse(templateForm(world));
    const { id } = await createCheckedTemplate(scope, form);
    const schedule = scheduleForm.parse({ template_id: id, cron_format: "0 3 * * *" });
    await race(
      turn,
      () => deleteTemplate(scope, id),
      () => createSchedule(scope, schedule),
    );
  }
  assert.deepEqual(await listDangling(world), []);
});

Deno.test("a view goes, and no template that is being created stays in it", async () => {
  await using stage = await newStage();
  const { world, scope } = stage;
  for (let turn = 0; turn < 40; turn++) {
    const view = await viewService.create(scope, viewForm.parse({ title: "V" }));
    const form = templateSchema.parse(templateForm(world, { view_id: view.id }));
    await race(
      turn,
      () => viewService.delete(scope, view.id),
      () => createCheckedTemplate(scope, form),
    );
  }
  assert.deepEqual(await listDangling(world), []);
});

Deno.test("templates that are changed in parallel never deploy each other in a circle", async () => {
  await using stage = await newStage();
  const { world, scope } = stage;
  const { kv, web } = world;
  const template = (fields: Row) => templateSchema.parse(templateForm(world, fields));
  const buildForm = template({ type: "build", start_version: "1" });
  const build = await createCheckedTemplate(scope, buildForm);
  const deployOf = (id: number) => template({ type: "deploy", build_template_id: id });
  for (let turn = 0; turn < 40; turn++) {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) {
      ids.push(
        (await createCheckedTemplate(scope, deployOf(build.id))).id,
      );
    }
    const results = await Promise.allSettled(
      ids.map((id, n) => updateCheckedTemplate(scope, id, deployOf(ids[(n + 1) % 3]))),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 2);
    const seen = new Set<number>();
    for (let id: number | null = ids[0]; id !== null;) {
      assert.ok(!seen.has(id), "a circle");
      seen.add(id);
      const entry: Deno.KvEntryMaybe<{ build_template_id: number | null }> = await kv.get(
        rowKeys.resource("templates", web.id, id),
      );
      id = entry.value!.build_template_id;
    }
  }
});

Deno.test("a key that becomes a vault's meanwhile keeps its password", async () => {
  await using stage = await newStage();
  const { world, scope } = stage;
  const { kv, web } = world;
  const login_password = { login: "", password: "x" };
  for (let turn = 0; turn < 40; turn++) {
    const form = anyKey({ type: "login_password", login_password });
    const key = await keyService.create(scope, form);
    const template = templateSchema.parse(templateForm(world, { vault_key_id: key.id }));
    const toSsh = keyChangeForm.parse({
      name: "SSH",
      type: "ssh",
      override_secret: true,
      ssh: { private_key: PRIVATE_KEY },
    });
    const refused = await race(
      turn,
      () => keyService.update(scope, key.id, toSsh),
      () => createCheckedTemplate(scope, template),
    );
    assert.equal(refused, 1);
  }
  for await (const { value } of kv.list<Row>({ prefix: rowKeys.resources("templates", web.id) })) {
    for (const { vault_key_id } of value.vaults as { vault_key_id: number }[]) {
      const key = await kv.get<Row>(rowKeys.resource("keys", web.id, vault_key_id));
      assert.equal(key.value?.type, "login_password");
    }
  }
});
