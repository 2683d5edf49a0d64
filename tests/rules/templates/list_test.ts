import assert from "node:assert/strict";
import { deleteUser } from "@/lib/people/accounts/deletion.ts";
import { openAccount } from "@/lib/access/scope.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { templateForm } from "@/tests/support/world/forms.ts";
import { addTemplates } from "@/tests/support/world/many_templates.ts";
import { cookiesOf, linkOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const listOf = (world: World) => `/project/${world.web.id}/templates`;

async function make(world: World, change: Record<string, unknown>): Promise<number> {
  const form = templateForm(world, change);
  const { status, body } = await world.api("mike", "POST", `/api${listOf(world)}`, form);
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

const show = async (world: World, query = "", person: Person = "carol") =>
  await (await world.get(person, listOf(world) + query)).text();

/** Returns the names in the rows, from top to bottom. */
const names = (html: string) =>
  [...html.matchAll(/<a (?=[^>]*class="name-link)[^>]*title="([^"]*)"/g)].map(([, name]) => name);

/** Returns the heading with that label, with its tags. */
const heading = (html: string, label: string) =>
  [...html.matchAll(/<th .*?<\/th>/gs)].map(([th]) => th).find((th) => th.includes(`>${label}<`)) ??
    "";

/** Returns the target of the heading with that label. */
const sortOf = (html: string, label: string) => linkOf(heading(html, label), label);

Deno.test("the headings sort the list by the shown values, and say how it is sorted", async () => {
  await using world = await newWorld();
  const { body: second } = await world.api(
    "mike",
    "POST",
    `/api/project/${world.web.id}/inventory`,
    {
      name: "Archive",
      type: "static",
      inventory: "localhost",
      ssh_key_id: world.web.keyId,
    },
  );
  await make(world, { name: "Zip", inventory_id: second.id });
  await make(world, { name: "apply", inventory_id: world.web.inventoryId });
  const list = listOf(world);
  const plain = await show(world);
  assert.deepEqual(names(plain), ["apply", "Deploy shop", "Zip"]);
  assert.match(heading(plain, "Name"), /aria-sort="ascending"/);
  assert.equal(sortOf(plain, "Name"), `${list}?order=desc`);
  assert.doesNotMatch(heading(plain, "Inventory"), /aria-sort/);
  assert.equal(sortOf(plain, "Inventory"), `${list}?sort=inventory`);

  const sorted = await show(world, "?sort=inventory");
  assert.deepEqual(names(sorted), ["Zip", "apply", "Deploy shop"]);
  assert.match(heading(sorted, "Inventory"), /aria-sort="ascending"/);
  const turned = await show(world, "?sort=inventory&order=desc");
  assert.deepEqual(names(turned), ["apply", "Deploy shop", "Zip"], "what is alike stays by name");
  assert.match(heading(turned, "Inventory"), /aria-sort="descending"/);
  for (const sort of ["playbook", "environment", "repository", "type", "version", "nonsense"]) {
    assert.equal(names(await show(world, `?sort=${sort}&order=nonsense`)).length, 3, sort);
  }
});

Deno.test("the list is sorted by how the last tasks stand, and by which of them is the latest", async () => {
  await using world = await newWorld();
  const early = await make(world, { name: "Early" });
  const late = await make(world, { name: "Late" });
  await make(world, { name: "Never" });
  for (const template_id of [late, early, world.deploy.id]) {
    const path = `/api/project/${world.web.id}/tasks`;
    const { body } = await world.api("bob", "POST", path, { template_id });
    if (template_id !== early) continue;
    assert.equal((await world.api("bob", "POST", `${path}/${body.id}/stop`, {})).status, 204);
  }
  const plain = await show(world);
  const newest = sortOf(plain, "Last task");
  assert.equal(newest, `${listOf(world)}?sort=last_task&order=desc`, "the newest first");
  const shown = (query: string) => show(world, query).then(names);
  assert.deepEqual(await shown("?sort=last_task&order=desc"), [
    ...["Deploy shop", "Early", "Late", "Never"],
  ]);
  assert.deepEqual(await shown("?sort=status"), ["Deploy shop", "Late", "Early", "Never"]);
  assert.deepEqual(await shown("?sort=status&order=desc"), [
    ...["Never", "Early", "Deploy shop", "Late"],
  ]);
  const row = plain.slice(plain.indexOf(`id="template-${early}"`)).split("</tr>")[0];
  const cells = row.split("<td").filter((cell) => /id="last-/.test(cell));
  assert.match(cells[0], /data-status="stopped"/);
  assert.match(cells[1], /\?t=\d+.*<time/);
  assert.equal(
    cells.length,
    2,
    "the status and the time, which leads to the log, have a cell each",
  );
});

Deno.test("a version is beside the time of its task, unless a column of its own is chosen", async () => {
  await using world = await newWorld();
  const build = await make(world, { name: "Build", type: "build", start_version: "1.2.3" });
  const path = `/api/project/${world.web.id}/tasks`;
  assert.equal((await world.api("bob", "POST", path, { template_id: build })).status, 201);
  const cellOf = (html: string) =>
    html.split("<td").find((cell) => cell.includes(`id="version-${build}"`)) ?? "";
  const plain = await show(world);
  assert.match(cellOf(plain), /id="last-log-\d+".*1\.2\.3/s);
  assert.equal(heading(plain, "Version"), "");
  const cookie = `callboard=${world.people.carol.token}; template_columns=name.last_task.version`;
  const chosen = await world.request(listOf(world), { headers: { Cookie: cookie } });
  const html = await chosen.text();
  assert.match(heading(html, "Version"), /sort=version/);
  assert.doesNotMatch(cellOf(html), /last-log/);
  assert.match(cellOf(html), /1\.2\.3/);
});

Deno.test("the filter looks at name, playbook, description and view, and the rest of the address stays", async () => {
  await using world = await newWorld();
  const { body: view } = await world.api("mike", "POST", `/api/project/${world.web.id}/views`, {
    title: "Nightly",
  });
  await make(world, { name: "Back up", playbook: "save/all.yml", view_id: view.id });
  await make(world, { name: "Restart", description: "Only BEFORE a release", view_id: view.id });
  const found = async (q: string) => names(await show(world, `?q=${encodeURIComponent(q)}`));
  assert.deepEqual(await found("BACK"), ["Back up"]);
  assert.deepEqual(await found("save/all"), ["Back up"]);
  assert.deepEqual(await found("before"), ["Restart"]);
  assert.deepEqual(await found("nightly"), ["Back up", "Restart"]);
  assert.deepEqual(await found("  nightly   release "), ["Restart"], "each word, anywhere");
  assert.deepEqual(await found("   "), ["Back up", "Deploy shop", "Restart"]);

  const html = await show(world, "?q=nightly&sort=playbook&order=desc");
  assert.match(html, /<output[^>]*>2 of 3</);
  assert.match(html, /<form method="get"[^>]*data-stay/);
  assert.match(html, /<input[^>]* name="q" value="nightly"/);
  assert.match(html, /<option value="playbook" selected/);
  assert.match(html, /name="order" value="desc"/);
  assert.ok(
    html.includes(
      `/project/${world.web.id}/views/${view.id}/templates?q=nightly&amp;sort=playbook`,
    ),
    "a view's tab keeps the filter",
  );
  assert.match(await show(world), /<output[^>]*>3 templates</);

  const none = await show(world, "?q=%3Cb%3Ex");
  assert.match(none, /No template matches &quot;&lt;b(>|&gt;)x/);
  assert.doesNotMatch(none, /<b>x/);
  assert.match(none, /<output[^>]*>0 of 3</);
  assert.equal(linkOf(none, "Show all templates"), listOf(world));
  const { body: empty } = await world.api("mike", "POST", `/api/project/${world.web.id}/views`, {
    title: "Idle",
  });
  const tabs = await world.get("mike", `/project/${world.web.id}/views/${view.id}/templates`);
  const marks = /<nav\s[^>]*class="tabs".*?<\/nav>/s.exec(await tabs.text())![0];
  assert.equal(marks.match(/aria-current="(page|true)"/g)?.length, 1, "the pencil is no tab");
  const idle = await world.get("carol", `/project/${world.web.id}/views/${empty.id}/templates`);
  assert.match(await idle.text(), /The view &quot;Idle/);
});

Deno.test("a long list comes in pages, which links join and the filter searches", async () => {
  await using world = await newWorld();
  const rows = await addTemplates(world, 130);
  const all = ["Deploy shop", ...rows.map(({ name }) => name)];
  const follow = async (label: string) => {
    const pages: string[][] = [];
    for (let at: string | undefined = listOf(world); at;) {
      const html = await (await world.get("carol", at)).text();
      pages.push(names(html));
      at = linkOf(html, label);
    }
    return pages;
  };
  const pages = await follow("Next");
  assert.deepEqual(pages.flat(), all);
  assert.deepEqual(pages.map(({ length }) => length), [50, 50, 31]);
  assert.deepEqual((await follow("Show all 131")).map(({ length }) => length), [50, 131]);

  const last = rows.at(-1)!;
  assert.deepEqual(names(await show(world, `?q=${last.name}`)), [last.name]);
  const open = await show(world, `?open=${last.id}`);
  assert.ok(names(open).includes(last.name), "an open template is on its page");
  assert.match(open, /101–131 of 131/);
  assert.match(await show(world, "?page=2&q=Template&sort=playbook"), /51–100 of 130/);
  assert.match(await show(world, "?page=99"), /101–131 of 131/);
  for (const page of ["0", "-1", "x", "1e9"]) {
    assert.match(await show(world, `?page=${page}`), /1–50 of 131/, page);
  }
  const sorted = sortOf(await show(world, "?page=2&rows=all"), "Playbook");
  assert.equal(sorted, `${listOf(world)}?sort=playbook&rows=all`, "another order begins anew");
  assert.doesNotMatch(await show(world, "?rows=all"), /<input[^>]* name="rows"/);
});

Deno.test("the columns of the list are saved by a plain form", async () => {
  await using world = await newWorld();
  const list = listOf(world);
  const columns = (html: string) =>
    [...html.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)]
      .map(([, label]) => label.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ").trim());
  const unchosen = await show(world);
  const usual = [
    "Name",
    "Status",
    "Last task",
    "Playbook",
    "Inventory",
    "Actions",
  ];
  assert.deepEqual(columns(unchosen), usual);

  const choose = async (...chosen: string[]) => {
    const saved = await world.post("carol", "/auth/preferences", {
      back: `${list}?order=desc`,
      template_columns: ["name", ...chosen],
    });
    assert.equal(saved.headers.get("location"), `${list}?order=desc`);
    return cookiesOf(saved).template_columns;
  };
  const shown = async (cookie: string) => {
    const headers = {
      Cookie: `callboard=${world.people.carol.token}; template_columns=${cookie}`,
    };
    return await (await world.request(list, { headers })).text();
  };
  const few = await shown(await choose("last_task", "type", "nonsense"));
  assert.deepEqual(columns(few), ["Name", "Type", "Status", "Last task", "Actions"]);
  const ticked = [...few.matchAll(/value="(\w+)"[^>]* checked/g)].map(([, name]) => name);
  assert.deepEqual(ticked, ["type", "last_task"]);
  assert.deepEqual(columns(await shown(await choose())), ["Name", "Actions"]);
  assert.deepEqual(columns(await shown("")), usual);
});

/** Presses the star of a row and returns the redirect's target. */
async function star(world: World, person: Person, field: "add" | "remove", id: number) {
  const back = `${listOf(world)}?sort=playbook`;
  const answer = await world.post(person, `${listOf(world)}/favourites`, {
    [field]: `${id}`,
    back,
  });
  return [answer.status, answer.headers.get("location")];
}

const stored = async (world: World, person: Person) =>
  (await world.kv.get(rowKeys.favourites(world.web.id, world.people[person].id))).value;

Deno.test("a favorite comes first for the person who chose it, and for no one else, until it is removed", async () => {
  await using world = await newWorld();
  const id = await make(world, { name: "Zip" });
  const back = `${listOf(world)}?sort=playbook#template-${id}`;
  assert.deepEqual(await star(world, "carol", "add", id), [303, back]);
  assert.deepEqual(await star(world, "carol", "add", id), [303, back], "twice is once");
  assert.deepEqual(await stored(world, "carol"), [id]);
  const html = await show(world);
  assert.deepEqual(names(html), ["Zip", "Deploy shop"]);
  assert.match(html, new RegExp(`id="star-${id}"[^>]* name="remove"[^>]* aria-pressed="true"`));
  assert.deepEqual(names(await show(world, "?order=desc&sort=last_task")), ["Zip", "Deploy shop"]);
  assert.deepEqual(names(await show(world, "", "bob")), ["Deploy shop", "Zip"]);
  await star(world, "carol", "remove", id);
  assert.equal(await stored(world, "carol"), null);
  assert.deepEqual(names(await show(world)), ["Deploy shop", "Zip"]);
});

Deno.test("favourites are of the project, not endless, and go with template, member and account", async () => {
  await using world = await newWorld();
  assert.deepEqual(await star(world, "carol", "add", 999), [404, null]);
  assert.deepEqual(await star(world, "dave", "add", world.deploy.id), [404, null]);
  const key = rowKeys.favourites(world.web.id, world.people.carol.id);
  await world.kv.set(key, Array.from({ length: 100 }, (_, n) => n + 1000));
  assert.deepEqual(await star(world, "carol", "add", world.deploy.id), [409, null]);
  await world.kv.delete(key);

  const id = await make(world, { name: "Zip" });
  for (const person of ["bob", "carol", "erin"] as const) {
    await star(world, person, "add", id);
    await star(world, person, "add", world.deploy.id);
  }
  await world.api("mike", "DELETE", `/api${listOf(world)}/${id}`);
  for (const person of ["bob", "carol", "erin"] as const) {
    assert.deepEqual(await stored(world, person), [world.deploy.id], person);
  }
  await world.api("alice", "DELETE", `/api/project/${world.web.id}/users/${world.people.bob.id}`);
  assert.equal(await stored(world, "bob"), null);
  // Erin is not a member. An admin's favorites may be in any project.
  await make(world, { name: "Other" });
  const { erin, mike } = world.people;
  const admin = await world.api("erin", "GET", `/api/users/${mike.id}`);
  await world.api("erin", "PUT", `/api/users/${mike.id}`, { ...admin.body, admin: true });
  await deleteUser(openAccount({ deps: world.deps, actor: erin.actor }, erin.id));
  assert.equal(await stored(world, "erin"), null);
});
