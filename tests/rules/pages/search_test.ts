import assert from "node:assert/strict";
import { templateForm } from "@/tests/support/world/forms.ts";
import { inventoryRows } from "@/lib/resources/inventories/repository.ts";
import { rememberDue } from "@/lib/hosts/remember.ts";
import type { Found, Hit } from "@/lib/search/schema.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { writeHistory } from "@/tests/support/world/history.ts";
import { play, reportedTask, result, task } from "@/tests/support/world/reported_task.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Person } from "@/tests/support/world/cast.ts";

async function search(world: World, query: string, person: Person = "carol"): Promise<Found> {
  const path = `/api/project/${world.web.id}/search?${query}`;
  const { status, body } = await world.api(person, "GET", path);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const hitsOf = ({ groups }: Found, kind: string): Hit[] =>
  groups.find((group) => group.kind === kind)?.hits ?? [];
const namesOf = (found: Found, kind: string) => hitsOf(found, kind).map(({ name }) => name);

async function make({ api, web }: World, path: string, body: object): Promise<{ id: number }> {
  const answer = await api("mike", "POST", `/api/project/${web.id}/${path}`, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

const inventory = ({ web }: World, name: string, text: string, type = "static") => ({
  name,
  type,
  inventory: text,
  ssh_key_id: web.keyId,
});

/** Creates an object of each kind with "zebra" in its name or in another text. */
async function seedZebras(world: World) {
  const { web } = world;
  const named = { ssh_key_id: web.keyId, git_branch: "main" };
  await make(world, "inventory", inventory(world, "Zebra hosts", "[a]\nzebra1\nother\nzebra2"));
  const yaml = "all:\n  hosts:\n    zebra3.example.com:\n";
  await make(world, "inventory", inventory(world, "In YAML", yaml, "static-yaml"));
  await make(world, "inventory", inventory(world, "In a file", "inv/zebra.ini", "file"));
  await make(world, "environment", { name: "Zebra", json: '{"password": "zebra-inside"}' });
  await make(world, "keys", { name: "Key of Zebra", type: "none" });
  const git_url = "https://me:zebrapass@git.example.com/plays.git";
  await make(world, "repositories", { ...named, name: "Plays", git_url });
  await make(world, "views", { title: "Zebra's view", position: 0 });
  const template = {
    name: "Paint",
    playbook: "zebra.yml",
    description: "Stripes",
    inventory_id: web.inventoryId,
    repository_id: web.repositoryId,
    environment_id: web.environmentId,
  };
  const paint = await make(world, "templates", template);
  await make(world, "integrations", { name: "From zebra", template_id: paint.id });
  const cron = { cron_format: "0 3 * * *", name: "Zebra at night" };
  await make(world, "schedules", { ...cron, template_id: paint.id });
  return paint;
}

Deno.test("Carol finds all that she may see, kind by kind, by name and by the values beside it", async () => {
  await using world = await newWorld();
  const paint = await seedZebras(world);
  const found = await search(world, "q=ZEBRA");
  assert.deepEqual(namesOf(found, "templates"), ["Paint"]);
  assert.equal(
    hitsOf(found, "templates")[0].page,
    `/project/${world.web.id}/templates/${paint.id}`,
  );
  assert.deepEqual(namesOf(found, "inventories"), ["Zebra hosts", "In a file"]);
  assert.deepEqual(namesOf(found, "hosts"), ["zebra1", "zebra2", "zebra3.example.com"]);
  assert.deepEqual(hitsOf(found, "hosts").map(({ detail }) => detail), [
    "Zebra hosts",
    "Zebra hosts",
    "In YAML",
  ]);
  assert.deepEqual(namesOf(found, "environments"), ["Zebra"]);
  assert.deepEqual(namesOf(found, "keys"), ["Key of Zebra"]);
  assert.deepEqual(namesOf(found, "views"), ["Zebra's view"]);
  assert.deepEqual(namesOf(found, "integrations"), ["From zebra"]);
  assert.deepEqual(namesOf(found, "schedules"), ["Zebra at night"]);
  assert.deepEqual(namesOf(await search(world, "q=bob"), "members"), ["Bob"]);
  assert.deepEqual(namesOf(await search(world, "q=stripes"), "templates"), ["Paint"]);
});

Deno.test("no secret is found: neither logins of a URL, nor what is in an environment", async () => {
  await using world = await newWorld();
  await seedZebras(world);
  const found = await search(world, "q=git.example.com/plays");
  assert.equal(hitsOf(found, "repositories")[0].detail, "https://git.example.com/plays.git");
  for (const secret of ["zebrapass", "zebra-inside", "***"]) {
    const { groups } = await search(world, `q=${encodeURIComponent(secret)}`, "alice");
    assert.deepEqual(groups, [], secret);
  }
});

Deno.test("a hit leads where its reader may go: Mike to the form, Carol to the list", async () => {
  await using world = await newWorld();
  await seedZebras(world);
  for (const person of ["carol", "mike", "erin"] as const) {
    const { groups } = await search(world, "q=zebra", person);
    assert.ok(groups.length > 7);
    for (const { page } of groups.flatMap(({ hits }) => hits)) {
      const response = await world.get(person, page);
      await response.body?.cancel();
      assert.equal(response.status, 200, `${person} ${page}`);
    }
  }
});

Deno.test("a task is found by its number, message, version and commit", async () => {
  await using world = await newWorld();
  const { api, web, deploy, kv } = world;
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  const model = await getTaskRow(kv, web.id, body.id);
  const commit_hash = "0a1b2c3d".repeat(5);
  const [told, built, fetched] = await writeHistory(kv, { ...model, status: "success" }, [
    { message: "Fix the till" },
    { version: "v7.8.9" },
    { commit_hash },
  ]);
  const ids = async (q: string) =>
    hitsOf(await search(world, `q=${encodeURIComponent(q)}`), "tasks").map(({ id }) => id);
  assert.deepEqual(await ids("till"), [told.id]);
  assert.deepEqual(await ids("7.8.9"), [built.id]);
  assert.deepEqual(await ids("0a1b2c3d0a"), [fetched.id]);
  for (const number of [`#${told.id}`, String(told.id)]) {
    assert.equal((await ids(number))[0], told.id, number);
  }
  assert.deepEqual(await ids("#999999"), []);
  const [hit] = hitsOf(await search(world, "q=till"), "tasks");
  assert.deepEqual([hit.name, hit.detail], [`#${told.id} Deploy shop`, "Fix the till"]);
  assert.equal(hit.page, `/project/${web.id}/templates/${deploy.id}?t=${told.id}`);
});

Deno.test("older tasks than one search looks at are mentioned, and the next search finds them", async () => {
  await using world = await newWorld();
  const { api, web, deploy, kv } = world;
  const { body } = await api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: deploy.id,
  });
  const model = { ...await getTaskRow(kv, web.id, body.id), status: "success" } as const;
  const changes = Array.from({ length: 2_200 }, (_, n) => n === 3 ? { message: "needle" } : {});
  const [, , , needle] = await writeHistory(kv, model, changes);
  let found = await search(world, "q=needle");
  let looks = 1;
  while (hitsOf(found, "tasks").length === 0) {
    assert.ok(found.tasks_since, "it says that there is no more");
    const page = await world.get("carol", `/project/${web.id}/search?q=needle`);
    assert.match(await page.text(), /Search older tasks/);
    found = await search(world, `q=needle&kind=tasks&before=${found.tasks_since}`);
    looks++;
  }
  assert.deepEqual(hitsOf(found, "tasks").map(({ id }) => id), [needle.id]);
  assert.deepEqual([looks, found.tasks_since], [3, null]);
  // Finding its number requires no other rows.
  assert.equal(hitsOf(await search(world, `q=${needle.id}`), "tasks")[0].id, needle.id);
});

Deno.test("the best of each kind come first, with a count and a link to all", async () => {
  await using world = await newWorld();
  const names = [
    "cobweb",
    "my web",
    "webshop",
    "web",
    ...Array(70).fill(0).map((_, n) => `x web${n}`),
  ];
  await make(
    world,
    "inventory",
    inventory(world, "Many", names.map((name) => name.replace(" ", "-")).join("\n")),
  );
  const { groups: [group] } = await search(world, "q=web&kind=hosts&limit=5");
  assert.deepEqual(group.hits.map(({ name }) => name), [
    "web",
    "webshop",
    "my-web",
    "x-web0",
    "x-web1",
  ]);
  assert.equal(group.count, 74);
  const rest = await search(world, "q=web&kind=hosts&limit=100&skip=70");
  assert.deepEqual(namesOf(rest, "hosts"), ["x-web67", "x-web68", "x-web69", "cobweb"]);
  const path = `/project/${world.web.id}/search`;
  const page = await (await world.get("carol", `${path}?q=web`)).text();
  assert.match(page, /Show all 74 hosts/);
  assert.match(page, /<mark>web<\/mark>shop/);
  const all = await (await world.get("carol", `${path}?q=web&kind=hosts`)).text();
  assert.match(all, /1–50 of 74/);
  const next = /href="([^"]*skip=50[^"]*)"/.exec(all)![1].replaceAll("&amp;", "&");
  assert.match(await (await world.get("carol", next)).text(), /51–74 of 74/);
});

Deno.test("hosts are read from their inventories once, until one of those changes", async () => {
  await using world = await newWorld();
  const many = inventory(world, "Many", "web1\nweb2");
  const { id } = await make(world, "inventory", many);
  const { list } = inventoryRows;
  let reads = 0;
  inventoryRows.list = (...args) => (reads++, list(...args));
  try {
    for (const q of ["w", "we", "web", "web1"]) await search(world, `q=${q}`);
    const before = reads;
    for (const q of ["w", "we", "web", "web2"]) await search(world, `q=${q}`);
    assert.equal(reads, before);
    const path = `/api/project/${world.web.id}/inventory/${id}`;
    const changed = { ...many, id, inventory: "web1\nweb9" };
    assert.equal((await world.api("mike", "PUT", path, changed)).status, 204);
    assert.deepEqual(namesOf(await search(world, "q=web9"), "hosts"), ["web9"]);
    assert.deepEqual(namesOf(await search(world, "q=web2"), "hosts"), []);
  } finally {
    inventoryRows.list = list;
  }
});

Deno.test("typed text is shown as text, bounded, and never causes an error", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/search`;
  for (
    const q of ["", " ", "<b>x</b>", "\u202ex", "[(*", "a".repeat(5_000), "\0", "#", "😀", "%"]
  ) {
    const response = await world.get("carol", `${path}?${new URLSearchParams({ q })}`);
    // without the text in the search field itself
    const text = (await response.text()).replace(/ value="[^"]*"/g, "");
    assert.equal(response.status, 200, q);
    assert.ok(!text.includes("<b>x</b>") && !text.includes("\u202e"), q);
  }
  const odd = await world.get("carol", `${path}?q=a&kind=nothing&skip=-1&before=x`);
  assert.equal(odd.status, 200);
  await odd.body?.cancel();
  const api = `/api${path}`;
  const long = await world.api("carol", "GET", `${api}?q=${"a".repeat(201)}`);
  assert.deepEqual([long.status, /q:/.test(long.body.error)], [400, true]);
  assert.equal((await world.api("carol", "GET", `${api}?q=a&kind=nothing`)).status, 400);
  assert.deepEqual((await world.api("carol", "GET", api)).body.groups, []);
});

Deno.test("results are shown by their names", async () => {
  await using world = await newWorld();
  const form = templateForm(world, { name: "Fish & <chips>" });
  assert.equal(
    (await world.api("mike", "POST", `/api/project/${world.web.id}/templates`, form)).status,
    201,
  );
  for (const q of ["fish", "night"]) {
    const path = `/project/${world.web.id}/search?q=${q}`;
    const page = await (await world.get("carol", path)).text();
    assert.match(page, /(<mark>Fish<\/mark>|Fish) &amp; &lt;chips>/);
  }
});

Deno.test("a host that a run has reached is found, and leads to its page", async () => {
  await using world = await newWorld();
  await make(world, "inventory", inventory(world, "Zoo", "zebra1\nzebra2"));
  const run = await reportedTask(world);
  await run.report(play("Feed"), task("a"), result("a", "zebra2"), result("a", "zebra/3"));
  await run.end();
  await rememberDue(world.deps);
  const hits = hitsOf(await search(world, "q=zebra"), "hosts");
  const path = `/project/${world.web.id}`;
  assert.deepEqual(hits.map(({ name, detail, page }) => [name, detail, page]), [
    ["zebra1", "Zoo", `${path}/inventory`],
    ["zebra2", "Zoo", `${path}/hosts/zebra2`],
    ["zebra/3", "", `${path}/hosts/zebra%2F3`],
  ]);
});
