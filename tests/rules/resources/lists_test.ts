import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { storeHostCount } from "@/lib/resources/inventories/host_counts.ts";
import { inventoryRows } from "@/lib/resources/inventories/repository.ts";
import type { ResultHead } from "@/lib/results/rows.ts";
import { getTasks } from "@/lib/model/tasks.ts";
import {
  addPasswordKey,
  inventoryForm,
  repositoryForm,
  templateForm,
} from "@/tests/support/world/forms.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { htmlOf, linkOf, textOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pageOf = ({ web }: World, page: string) => `/project/${web.id}/${page}`;

/** Creates an object in the web project, and returns its id. */
async function make(world: World, path: string, body: unknown): Promise<number> {
  const answer = await world.api("alice", "POST", `/api${pageOf(world, path)}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Returns the texts of a list's cells, row by row, without the buttons. */
const rowsOf = (html: string): string[][] => {
  const [, body = ""] = /<tbody[^>]*>(.*?)<\/tbody>/s.exec(html) ?? [];
  return body.split("<tr").slice(1).map((row) =>
    [...row.matchAll(/<td( class="[^"]*cell-actions[^>]*| [^>]*)?>(.*?)<\/td>/gs)]
      .filter(([, attributes = ""]) => !attributes.includes("cell-actions"))
      .map(([, , cell]) => textOf(cell))
  );
};

const namesIn = (html: string) => rowsOf(html).map(([name]) => name);

/** Creates keys so that the list of keys is long enough for a filter. */
async function addKeys(world: World, count = 8): Promise<void> {
  for (let n = 1; n <= count; n++) await make(world, "keys", { name: `Spare ${n}`, type: "none" });
}

Deno.test("a list of keys is filtered by name and type, without a script", async () => {
  await using world = await newWorld();
  const list = pageOf(world, "keys");
  const short = await htmlOf(await world.get("carol", list));
  assert.doesNotMatch(short, /role="search"/, "few rows need no filter");
  await addKeys(world);
  await addPasswordKey(world, "Vault of production");
  const all = await htmlOf(await world.get("carol", list));
  assert.match(all, /<form method="get"[^>]*role="search" data-stay/);
  const found = await htmlOf(await world.get("carol", `${list}?q=VAULT+prod`));
  assert.deepEqual(namesIn(found), ["Vault of production"]);
  assert.match(found, /<output[^>]*>1 of 10<\/output>/);
  assert.equal(linkOf(found, "Clear the filter"), list);
  const byType = await htmlOf(await world.get("carol", `${list}?q=password&sort=uses`));
  assert.deepEqual(namesIn(byType), ["Vault of production"]);
  assert.equal(linkOf(byType, "Clear the filter"), `${list}?sort=uses`);
});

Deno.test("a filter that nothing matches says so, and can be cleared", async () => {
  await using world = await newWorld();
  for (const [section, noun] of [["keys", "keys"], ["inventory", "inventories"]]) {
    const html = await htmlOf(await world.get("carol", `${pageOf(world, section)}?q=foo"`));
    assert.match(
      html,
      new RegExp(`No ${noun} match &quot;foo&quot;&quot;|No ${noun} match "foo""`),
    );
    assert.equal(linkOf(html, "Clear the filter"), pageOf(world, section));
  }
});

Deno.test("headings sort a list, and say how it is sorted", async () => {
  await using world = await newWorld();
  await addKeys(world);
  const list = pageOf(world, "keys");
  const usual = await htmlOf(await world.get("carol", list));
  assert.match(usual, /<th[^>]*aria-sort="ascending"[^>]*>(?:(?!<th).)*Name/);
  assert.equal(linkOf(usual, "Name"), `${list}?sort=name&order=desc`);
  assert.equal(linkOf(usual, "Used by"), `${list}?sort=uses`);
  const turned = await htmlOf(await world.get("carol", `${list}?sort=name&order=desc`));
  assert.deepEqual(namesIn(turned).slice(0, 2), ["Spare 8", "Spare 7"]);
  assert.equal(linkOf(turned, "Name"), `${list}?sort=name`);
  const byUses = await htmlOf(await world.get("carol", `${list}?sort=uses`));
  assert.match(byUses, /<th[^>]*aria-sort="descending"[^>]*>(?:(?!<th).)*Used by/);
  assert.equal(namesIn(byUses)[0], "None");
});

Deno.test("each resource names what uses it, or how many, with a link to all of them", async () => {
  await using world = await newWorld();
  const { web } = world;
  const uses = async (section: string, person: "alice" | "carol" = "alice") => {
    const html = await htmlOf(await world.get(person, pageOf(world, section)));
    return { html, uses: rowsOf(html).map((row) => row.at(-2)) };
  };
  const one = await uses("environment");
  assert.deepEqual(one.uses, ["Deploy shop"]);
  assert.equal(linkOf(one.html, "Deploy shop"), pageOf(world, `templates/${web.templateId}`));
  await make(world, "templates", templateForm(world));
  const two = await uses("inventory", "carol");
  assert.deepEqual(two.uses, ["2 templates Staging"]);
  assert.equal(linkOf(two.html, "2 templates"), pageOf(world, `inventory/${web.inventoryId}/uses`));
  const keys = await uses("keys");
  assert.ok(keys.uses.includes("1 inventory, 1 repository None"), keys.uses.join());
  for (
    const [section, id, name] of [
      ["inventory", web.inventoryId, "Nightly"],
      ["repositories", web.repositoryId, "Nightly"],
      ["environment", web.environmentId, "Nightly"],
      ["keys", web.keyId, "Staging"],
    ] as const
  ) {
    const dialog = await htmlOf(await world.get("carol", pageOf(world, `${section}/${id}/uses`)));
    assert.ok(linkOf(dialog, name), `${section}: ${name}`);
    assert.equal((await world.get("dave", pageOf(world, `${section}/${id}/uses`))).status, 404);
  }
  // A guest cannot open the form of an inventory, so the link leads to the list.
  const carols = await htmlOf(await world.get("carol", pageOf(world, `keys/${web.keyId}/uses`)));
  assert.equal(linkOf(carols, "Staging"), pageOf(world, "inventory"));
});

Deno.test("the last use is the latest task that ran with a resource, or with what needs it", async () => {
  await using world = await newWorld();
  const { web, kv } = world;
  const other = await make(world, "inventory", inventoryForm(world, { name: "Other" }));
  const become = await addPasswordKey(world, "Sudo");
  const vault = await addPasswordKey(world, "Vault");
  await make(world, "inventory", inventoryForm(world, { name: "Unused", become_key_id: become }));
  const id = await make(world, "tasks", { template_id: world.deploy.id });
  const [task] = await getTasks(kv, [[web.id, id]]);
  const lasts = async (section: string) => {
    const html = await htmlOf(await world.get("carol", pageOf(world, section)));
    return Object.fromEntries(rowsOf(html).map((row) => [row[0], row.at(-1)!.split(" ")[0]]));
  };
  assert.deepEqual(await lasts("inventory"), { Other: "—", Staging: `#${id}`, Unused: "—" });
  assert.deepEqual(await lasts("repositories"), { Playbooks: `#${id}` });
  assert.deepEqual(await lasts("keys"), { None: `#${id}`, Sudo: "—", Vault: "—" });
  // A task that was started with another inventory and a vault key.
  const vaults = [{ vault_key_id: vault, name: null }];
  const [later] = await writeHistory(kv, task, [{
    inventory_id: other,
    vaults,
    status: "success",
  }]);
  await kv.set(rowKeys.tasksWake(), later.id);
  assert.deepEqual(await lasts("inventory"), { Other: `#${later.id}`, Staging: "—", Unused: "—" });
  const keys = await lasts("keys");
  assert.deepEqual(keys, { None: `#${later.id}`, Sudo: "—", Vault: `#${later.id}` });
});

Deno.test("inventories show how many hosts they have, as far as that is known", async () => {
  await using world = await newWorld();
  const { web, kv } = world;
  const ini = "[web]\nweb[01:30].example.com\n[db]\ndb1\nweb01.example.com\n[all:vars]\nx=1\n";
  await make(world, "inventory", inventoryForm(world, { name: "Ini", inventory: ini }));
  const yaml = "all:\n  hosts:\n    a:\n    b:\n";
  const asYaml = { name: "Yaml", type: "static-yaml", inventory: yaml };
  await make(world, "inventory", inventoryForm(world, asYaml));
  const asFile = { name: "File", type: "file", inventory: "hosts/production" };
  const file = await make(world, "inventory", inventoryForm(world, asFile));
  const counts = async () => {
    const html = await htmlOf(await world.get("carol", pageOf(world, "inventory")));
    return { html, of: Object.fromEntries(rowsOf(html).map((row) => [row[0], row.at(-3)])) };
  };
  assert.deepEqual((await counts()).of, { File: "—", Ini: "31", Staging: "1", Yaml: "2" });
  const id = await make(world, "tasks", { template_id: world.deploy.id });
  const [task] = await getTasks(kv, [[web.id, id]]);
  const run = { inventory_id: file, status: "success" } as const;
  const [whole] = await writeHistory(kv, task, [run]);
  await kv.set(rowKeys.taskResultHead(whole.id), { hosts: 6 } as ResultHead);
  await kv.set(rowKeys.tasksWake(), whole.id);
  const { html, of } = await counts();
  assert.equal(of.File, "6");
  assert.match(html, new RegExp(`title="Hosts of task #${whole.id}">6<`));
  // A task on some of the hosts says nothing about the inventory.
  const [limited] = await writeHistory(kv, task, [{ ...run, limit: ["web"] }]);
  await kv.set(rowKeys.taskResultHead(limited.id), { hosts: 2 } as ResultHead);
  await kv.set(rowKeys.tasksWake(), limited.id);
  assert.equal((await counts()).of.File, "—");
  // A test of the inventory counts all of its hosts, until it is another one.
  const found = await inventoryRows.find(kv, web.id, file);
  await storeHostCount(kv, found!, 200);
  const tested = await counts();
  assert.equal(tested.of.File, "200");
  assert.match(tested.html, /title="Hosts in the last test of the inventory">200</);
  const path = `/api${pageOf(world, `inventory/${file}`)}`;
  const moved = { ...inventoryForm(world, asFile), id: file, inventory: "hosts/other" };
  assert.equal((await world.api("alice", "PUT", path, moved)).status, 204);
  assert.equal((await counts()).of.File, "—");
  await storeHostCount(kv, found!, 200);
  assert.equal((await counts()).of.File, "—", "a test of what was there before");
  assert.equal((await world.api("alice", "DELETE", path)).status, 204);
  assert.equal((await kv.get(rowKeys.hostCount(web.id, file))).value, null);
});

Deno.test("environments show how many variables and secrets they have, and none of the values", async () => {
  await using world = await newWorld();
  await make(world, "environment", {
    name: "Shop",
    json: '{"release": "kept-release", "hosts": [1, 2]}',
    env: '{"REGION": "kept-region"}',
    secrets: [{ operation: "create", type: "var", name: "token", secret: "kept-token" }],
  });
  const html = await htmlOf(await world.get("carol", pageOf(world, "environment")));
  const row = rowsOf(html).find(([name]) => name === "Shop");
  assert.deepEqual(row, ["Shop", "3", "1", "—", "—"]);
  assert.doesNotMatch(html, /kept-/);
});

Deno.test("repositories show the commit of their branch that a task checked out last", async () => {
  await using world = await newWorld();
  const { web, kv } = world;
  await make(world, "repositories", repositoryForm(world));
  const id = await make(world, "tasks", { template_id: world.deploy.id });
  const [task] = await getTasks(kv, [[web.id, id]]);
  const commit_hash = "0123456789abcdef0123456789abcdef01234567";
  const commits = async () => {
    const html = await htmlOf(await world.get("carol", pageOf(world, "repositories")));
    return Object.fromEntries(rowsOf(html).map((row) => [row[0], row[2]]));
  };
  const commit = { commit_hash, commit_message: "Fix the proxy\n\nMore" };
  // Before the start, this is only the commit that was asked for.
  await writeHistory(kv, task, [{ ...commit, start: null }]);
  await kv.set(rowKeys.tasksWake(), 1);
  assert.deepEqual(await commits(), { Playbooks: "main", Roles: "main" });
  await writeHistory(kv, task, [{ ...commit, start: task.created, git_branch: "next" }]);
  await kv.set(rowKeys.tasksWake(), 2);
  assert.deepEqual(await commits(), { Playbooks: "main", Roles: "main" }, "of another branch");
  await writeHistory(kv, task, [{ ...commit, start: task.created }]);
  await kv.set(rowKeys.tasksWake(), 3);
  assert.deepEqual(await commits(), { Playbooks: "main 0123456789", Roles: "main" });
});

Deno.test("a long list comes in pages of fifty rows, which keep the filter and the order", async () => {
  await using world = await newWorld();
  await addKeys(world, 80);
  const list = pageOf(world, "keys");
  const first = await htmlOf(await world.get("carol", `${list}?q=spare&sort=name&order=desc`));
  assert.equal(rowsOf(first).length, 50);
  const next = linkOf(first, "Next")!;
  assert.equal(next, `${list}?q=spare&sort=name&order=desc&page=2#main`);
  const second = await htmlOf(await world.get("carol", next));
  assert.deepEqual(namesIn(second).slice(0, 2), ["Spare 30", "Spare 29"]);
  const beyond = await htmlOf(await world.get("carol", `${list}?page=99`));
  assert.equal(rowsOf(beyond).length, 31);
  const all = await htmlOf(await world.get("carol", linkOf(beyond, "Show all 81")!));
  assert.equal(rowsOf(all).length, 81);
});

Deno.test("the other lists have the same filter", async () => {
  await using world = await newWorld();
  const nothing = {
    [pageOf(world, "repositories")]: "No repositories match",
    [pageOf(world, "environment")]: "No environments match",
    [pageOf(world, "team")]: "No members match",
    [pageOf(world, "schedules")]: "No schedules match",
    [pageOf(world, "integrations")]: "No integrations match",
    "/users": "No users match",
  };
  await make(world, "schedules", { template_id: world.deploy.id, cron_format: "@daily" });
  await make(world, "integrations", { name: "Hook", template_id: world.deploy.id });
  for (const [list, sentence] of Object.entries(nothing)) {
    const html = await htmlOf(await world.get("erin", `${list}?q=zzz`));
    assert.match(html, new RegExp(`${sentence} `), list);
    assert.match(html, /name="q" value="zzz"/, list);
    assert.equal(
      linkOf(html, "Clear the filter"),
      list.replace(/schedules$/, "$&?sort=template"),
      list,
    );
  }
  const alices = await htmlOf(await world.get("alice", `${pageOf(world, "team")}?q=OWNER`));
  assert.deepEqual(namesIn(alices), ["Alice"]);
});
