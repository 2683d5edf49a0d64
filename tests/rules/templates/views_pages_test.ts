import assert from "node:assert/strict";
import { templateForm } from "@/tests/support/world/forms.ts";
import { cookiesOf, fieldOf, htmlOf, linkOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const views = ({ web }: World) => `/project/${web.id}/views`;
const templates = ({ web }: World) => `/project/${web.id}/templates`;
const location = (response: Response) => response.headers.get("location");

async function titles(world: World): Promise<string[]> {
  const { body } = await world.api("carol", "GET", `/api${views(world)}`);
  return body.map(({ title }: { title: string }) => title);
}

/** Adds a view as Mike and returns its id. */
async function addView(world: World, title: string): Promise<number> {
  const added = await world.post("mike", views(world), { "title.new": title });
  assert.equal(added.status, 303, await added.text());
  const { body } = await world.api("mike", "GET", `/api${views(world)}`);
  return body.at(-1).id;
}

/** Requests a page as Carol, whose browser has `cookies`. */
const visit = ({ request, people }: World, path: string, cookies: string) =>
  request(path, { headers: { Cookie: `callboard=${people.carol.token}; ${cookies}` } });

Deno.test("Mike adds, renames and moves views, without any script", async () => {
  await using world = await newWorld();
  const page = views(world);
  assert.match(await htmlOf(await world.get("mike", page)), /No views/);
  const staging = await addView(world, " Staging ");
  const production = await addView(world, "Production");
  assert.deepEqual(await titles(world), ["Staging", "Production"]);

  const renamed = await world.post("mike", page, { [`title.${production}`]: "Live" });
  assert.equal(location(renamed), `${page}#view-${production}`);
  const moved = await world.post("mike", page, { up: `${production}` });
  assert.equal(location(moved), `${page}#view-${production}`);
  await world.post("mike", page, { [`title.${staging}`]: "Staging" });
  assert.deepEqual(await titles(world), ["Live", "Staging"], "another title moves nothing");
  await world.post("mike", page, { down: `${production}` });
  assert.deepEqual(await titles(world), ["Staging", "Live"]);
  await world.post("mike", page, { down: `${production}` });
  await world.post("mike", page, { up: `${staging}` });
  assert.deepEqual(await titles(world), ["Staging", "Live"], "there is nowhere further to go");

  const { body: events } = await world.api("alice", "GET", `/api/project/${world.web.id}/events`);
  const told = events.map(({ description }: { description: string }) => description);
  assert.ok(told.includes('View "Staging" was created'), String(told));
  assert.ok(told.includes('View "Live" was changed'));
  assert.ok(told.includes("The views were reordered"));
});

Deno.test("views that were given one position by the API can be moved nevertheless", async () => {
  await using world = await newWorld();
  for (const title of ["A", "B", "C"]) {
    await world.api("mike", "POST", `/api${views(world)}`, { title, position: 0 });
  }
  const { body } = await world.api("mike", "GET", `/api${views(world)}`);
  await world.post("mike", views(world), { up: `${body[2].id}` });
  assert.deepEqual(await titles(world), ["A", "C", "B"]);
});

Deno.test("a view without a title is not saved, and its row says so", async () => {
  await using world = await newWorld();
  const id = await addView(world, "Staging");
  for (const row of ["new", String(id)]) {
    const answer = await world.post("mike", views(world), { [`title.${row}`]: "  " });
    assert.equal(answer.status, 422);
    const html = await htmlOf(answer);
    assert.match(fieldOf(html, `title.${row}`), /aria-invalid="true"/);
    assert.match(html, new RegExp(`id="field-title-${row}-error"`));
  }
  const long = "x".repeat(101);
  const answer = await world.post("mike", views(world), { "title.new": long });
  assert.match(fieldOf(await htmlOf(answer), "title.new"), new RegExp(`value="${long}"`));
  assert.deepEqual(await titles(world), ["Staging"]);
});

/** Returns the labels of the tabs, and the current one. */
const tabsIn = (html: string) => {
  const [, tabs] = /<nav[^>]*class="tabs[^>]*>(.*?)<\/nav>/s.exec(html)!;
  const labels = (pattern: RegExp) => [...tabs.matchAll(pattern)].map(([, label]) => label);
  return {
    tabs: labels(/<a [^>]*>(?:<span>)?([^<]+)</g),
    current: labels(/<a [^>]*aria-current="page"[^>]*>(?:<span>)?([^<]+)</g),
  };
};

Deno.test("Mike hides a view, and gives its list an order", async () => {
  await using world = await newWorld();
  const [night, day] = [await addView(world, "Night"), await addView(world, "Day")];
  for (const [name, view_id] of [["Alpha", night], ["Omega", night], ["Other", day]] as const) {
    await world.api("mike", "POST", `/api${templates(world)}`, {
      ...templateForm(world, { name }),
      view_id,
    });
  }
  const page = `${views(world)}/${night}`;
  const list = `${page}/templates`;
  const shown = async (path: string) => {
    const html = await htmlOf(await world.get("carol", path));
    return { ...tabsIn(html), order: html.indexOf("Alpha</a>") < html.indexOf("Omega</a>") };
  };
  const usual = { tabs: ["All", "Night", "Day"], current: ["Night"], order: true };
  assert.deepEqual(await shown(list), usual);
  assert.match(await htmlOf(await world.get("mike", page)), /name="title"[^>]*value="Night"/);

  const form = { title: "Night", type: "", sort_column: "name", sort_reverse: "true" };
  const saved = await world.post("mike", page, form);
  assert.deepEqual([saved.status, location(saved)], [303, `${views(world)}#view-${night}`]);
  assert.deepEqual(await shown(list), { ...usual, order: false });
  assert.deepEqual(await shown(`${list}?order=asc`), usual, "the reader's choice wins");

  await world.post("mike", page, { ...form, hidden: "true" });
  assert.deepEqual((await shown(templates(world))).tabs, ["All", "Day"]);
  const rows = await htmlOf(await world.get("mike", views(world)));
  assert.ok(rows.includes('value="Night"') && rows.includes(">Hidden<"));
  const { body } = await world.api("carol", "GET", `/api${page}`);
  assert.deepEqual([body.hidden, body.sort_reverse, body.position], [true, true, 0]);
  assert.equal((await world.post("mike", page, { ...form, title: "" })).status, 422);
  assert.equal((await world.post("bob", page, form)).status, 403);
});

Deno.test("a view of all templates replaces the first tab, or hides it", async () => {
  await using world = await newWorld();
  const id = await addView(world, "Everything");
  const page = `${views(world)}/${id}`;
  const form = { title: "Everything", type: "all", sort_column: "name", sort_reverse: "true" };
  await world.post("mike", page, form);
  for (const path of [templates(world), `${page}/templates`]) {
    const html = await htmlOf(await world.get("carol", path));
    assert.deepEqual(tabsIn(html), { tabs: ["Everything"], current: ["Everything"] });
    assert.ok(html.includes("Deploy shop"));
  }
  const { body } = await world.api("carol", "GET", `/api${page}/templates`);
  assert.equal(body.length, 1);
  const edit = await htmlOf(await world.get("mike", `${templates(world)}/new/edit`));
  assert.doesNotMatch(edit, /<option[^>]*>Everything</);
  await world.post("mike", page, { ...form, hidden: "true" });
  const html = await htmlOf(await world.get("mike", templates(world)));
  assert.deepEqual(tabsIn(html), { tabs: [], current: [] });
});

Deno.test("a view is deleted after a question, and its templates stay", async () => {
  await using world = await newWorld();
  const view_id = await addView(world, "Staging");
  const made = await world.api("mike", "POST", `/api${templates(world)}`, {
    ...templateForm(world),
    view_id,
  });
  const deletion = `${views(world)}/${view_id}/delete`;
  assert.match(
    await htmlOf(await world.get("mike", deletion)),
    /delete the view &quot;Staging&quot;/,
  );
  assert.deepEqual(await titles(world), ["Staging"]);
  const deleted = await world.post("mike", deletion);
  assert.equal(location(deleted), views(world));
  assert.deepEqual(await titles(world), []);
  const { body } = await world.api("mike", "GET", `/api${templates(world)}/${made.body.id}`);
  assert.equal(body.view_id, null);
  assert.equal((await world.get("mike", deletion)).status, 404);
});

Deno.test("people who may not manage resources see the tabs, but no way to change them", async () => {
  await using world = await newWorld();
  const id = await addView(world, "Staging");
  const pencil = new RegExp(`href="${views(world)}"`);
  assert.match(await htmlOf(await world.get("mike", templates(world))), pencil);
  const seen = await htmlOf(await world.get("bob", templates(world)));
  assert.match(seen, /Staging/);
  assert.doesNotMatch(seen, pencil);
  for (const person of ["bob", "carol"] as const) {
    assert.equal((await world.get(person, views(world))).status, 403);
    for (const field of ["title.new", `title.${id}`, "up"]) {
      assert.equal((await world.post(person, views(world), { [field]: `${id}` })).status, 403);
    }
    assert.equal((await world.get(person, `${views(world)}/${id}/delete`)).status, 403);
    assert.equal((await world.post(person, `${views(world)}/${id}/delete`)).status, 403);
  }
  assert.equal((await world.get("dave", views(world))).status, 404);
  assert.deepEqual(await titles(world), ["Staging"]);
});

Deno.test("a view without a row is not found", async () => {
  await using world = await newWorld();
  for (const field of ["title", "title.x", "title.99", "up"]) {
    assert.equal((await world.post("mike", views(world), { [field]: "9" })).status, 404, field);
  }
});

Deno.test("Task Templates leads Carol to the view that she saw last", async () => {
  await using world = await newWorld();
  const id = await addView(world, "Staging");
  const view = `${views(world)}/${id}/templates`;
  const menu = async (response: Response) =>
    /<nav[^>]* aria-label="Web shop"[^]*?<\/nav>/.exec(await htmlOf(response))![0];

  const first = await visit(world, view, "");
  assert.equal(cookiesOf(first).view, String(id));
  assert.match(
    first.headers.getSetCookie().find((cookie) => cookie.startsWith("view="))!,
    new RegExp(`Path=/project/${world.web.id};`),
    "each project has its own",
  );
  const later = await visit(world, `/project/${world.web.id}/history`, `view=${id}`);
  assert.equal(cookiesOf(later).view, undefined, "it is set once");
  assert.match(await menu(later), new RegExp(`href="${view}"`));

  const all = await visit(world, templates(world), `view=${id}`);
  assert.equal(cookiesOf(all).view, "", "all of them is a choice too");
  assert.match(await menu(all), new RegExp(`href="${templates(world)}"`));
  const forged = await visit(world, `/project/${world.web.id}/history`, "view=../9");
  assert.match(await menu(forged), new RegExp(`href="${templates(world)}"`));
});

Deno.test("a view that someone deleted leads to all templates, and is forgotten", async () => {
  await using world = await newWorld();
  const gone = await visit(world, `${views(world)}/99/templates`, "view=99");
  assert.equal(location(gone), templates(world));
  assert.equal(cookiesOf(gone).view, "");
});

Deno.test("a template of a view leads back to the view's list", async () => {
  await using world = await newWorld();
  const view_id = await addView(world, "Staging");
  await world.api("mike", "POST", `/api${templates(world)}`, { ...templateForm(world), view_id });
  const view = `${views(world)}/${view_id}/templates`;
  const shown = await htmlOf(await world.get("carol", view));
  assert.doesNotMatch(shown, /Deploy shop/);
  const detail = linkOf(shown, "Nightly")!;
  assert.match(detail, new RegExp(`^${view}/\\d+$`));
  const crumbs = /<nav[^>]*class="breadcrumb".*?<\/nav>/.exec(
    await htmlOf(await world.get("carol", detail)),
  )![0];
  assert.equal(linkOf(crumbs, "Staging"), view);
  assert.equal(linkOf(crumbs, "Task Templates"), templates(world));
  const form = await world.get("mike", `${view}/new`);
  assert.equal(location(form), `${templates(world)}/new/edit`);
});
