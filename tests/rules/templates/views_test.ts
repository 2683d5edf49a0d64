import assert from "node:assert/strict";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pathOf = ({ web }: World) => `/api/project/${web.id}/views`;

const add = async (world: World, title: string, fields: Record<string, unknown> = {}) =>
  (await world.api("mike", "POST", pathOf(world), { title, ...fields })).body;

async function titles(world: World): Promise<string[]> {
  const { body } = await world.api("carol", "GET", pathOf(world));
  return body.map(({ title }: { title: string }) => title);
}

Deno.test("views stand in their order, and new ones come last", async () => {
  await using world = await newWorld();
  const created = await world.api("mike", "POST", pathOf(world), { title: " Builds " });
  assert.equal(created.status, 201);
  const { id } = created.body;
  assert.deepEqual(created.body, {
    id,
    project_id: world.web.id,
    title: "Builds",
    position: 0,
    hidden: false,
    type: "",
    sort_column: null,
    sort_reverse: false,
    visible_to: null,
    run_by: null,
    edit_by: null,
  });
  assert.deepEqual((await world.api("carol", "GET", `${pathOf(world)}/${id}`)).body, created.body);
  await add(world, "Deploys");
  await add(world, "First", { position: 0 });
  await add(world, "Tenth", { position: 10 });
  await add(world, "Last");
  assert.deepEqual(await titles(world), ["Builds", "First", "Deploys", "Tenth", "Last"]);
});

Deno.test("Mike moves and renames views; a foreign id moves none of them", async () => {
  await using world = await newWorld();
  const [a, b] = [await add(world, "A"), await add(world, "B")];
  const theirs = await world.api("dave", "POST", `/api/project/${world.lab.id}/views`, {
    title: "Theirs",
  });
  const move = (positions: unknown) =>
    world.api("mike", "POST", `${pathOf(world)}/positions`, positions);

  assert.equal((await move({ [a.id]: 1, [b.id]: 0 })).status, 204);
  assert.deepEqual(await titles(world), ["B", "A"]);
  const events = await world.api("carol", "GET", `/api/project/${world.web.id}/events/last`);
  assert.equal(events.body[0].description, "The views were reordered");
  assert.equal((await move({ [a.id]: 0, [b.id]: 1, [theirs.body.id]: 9 })).status, 404);
  assert.deepEqual(await titles(world), ["B", "A"]);
  for (const wrong of [{ x: 1 }, { [a.id]: -1 }, { [a.id]: "x" }, [], null, 5]) {
    assert.equal((await move(wrong)).status, 400, JSON.stringify(wrong));
  }
  await world.api("mike", "PUT", `${pathOf(world)}/${a.id}`, { ...a, title: "Z", position: 0 });
  await world.api("mike", "PUT", `${pathOf(world)}/${b.id}`, { title: "Y" });
  assert.deepEqual(await titles(world), ["Z", "Y"]);
  assert.equal(
    (await world.api("mike", "PUT", `${pathOf(world)}/${a.id}`, { title: "" })).status,
    400,
  );
});

Deno.test("many views are moved in one call", async () => {
  await using world = await newWorld();
  const positions: Record<string, number> = {};
  for (let n = 0; n < 120; n++) positions[(await add(world, `V${n}`)).id] = 200 - n;
  assert.equal(
    (await world.api("mike", "POST", `${pathOf(world)}/positions`, positions)).status,
    204,
  );
  const moved = await titles(world);
  assert.deepEqual([moved[0], moved.at(-1)], ["V119", "V0"]);
});

Deno.test("a view lists its templates; when it is deleted they stay, without a view", async () => {
  await using world = await newWorld();
  const view = await add(world, "Nights");
  const other = await add(world, "Days");
  const templates = `/api/project/${world.web.id}/templates`;
  const ids: number[] = [];
  for (let n = 0; n < 95; n++) {
    const form = templateForm(world, { name: `T${n}`, view_id: view.id });
    ids.push((await world.api("mike", "POST", templates, form)).body.id);
  }
  await world.api(
    "mike",
    "PUT",
    `${templates}/${ids[0]}`,
    templateForm(world, { view_id: other.id }),
  );
  const listed = await world.api("carol", "GET", `${pathOf(world)}/${view.id}/templates`);
  assert.equal(listed.body.length, 94);
  assert.equal((await world.api("carol", "GET", `${pathOf(world)}/999/templates`)).status, 404);

  assert.equal((await world.api("mike", "DELETE", `${pathOf(world)}/${view.id}`)).status, 204);
  assert.deepEqual(await titles(world), ["Days"]);
  const { body } = await world.api("carol", "GET", templates);
  const shown = body.filter(({ view_id }: { view_id: number | null }) => view_id !== null);
  assert.deepEqual(shown.map(({ id, view_id }: Record<string, number>) => [id, view_id]), [
    [ids[0], other.id],
  ]);
  const left = world.kv.list({ prefix: ["references", world.web.id, "views", view.id] });
  assert.deepEqual(await Array.fromAsync(left), []);
});

Deno.test("Bob may look at views, not change them; Dave sees none", async () => {
  await using world = await newWorld();
  const view = await add(world, "A");
  const item = `${pathOf(world)}/${view.id}`;
  assert.equal((await world.api("bob", "GET", item)).status, 200);
  assert.equal((await world.api("bob", "POST", pathOf(world), { title: "B" })).status, 403);
  assert.equal((await world.api("bob", "PUT", item, { title: "B" })).status, 403);
  assert.equal((await world.api("bob", "DELETE", item)).status, 403);
  const moved = await world.api("bob", "POST", `${pathOf(world)}/positions`, { [view.id]: 1 });
  assert.equal(moved.status, 403);
  assert.equal((await world.api("dave", "GET", item)).status, 404);
  const throughOwn = `/api/project/${world.lab.id}/views/${view.id}`;
  assert.equal((await world.api("dave", "PUT", throughOwn, { title: "Mine" })).status, 404);
  assert.deepEqual(await titles(world), ["A"]);
});
