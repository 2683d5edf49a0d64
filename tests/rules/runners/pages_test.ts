import assert from "node:assert/strict";
import { findRunner, listRunners } from "@/lib/runners/repository.ts";
import { touchRunner } from "@/lib/runners/presence.ts";
import { FACTS, newRunner, register, registeredRunner } from "@/tests/support/world/runners.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const read = async (world: World, person: "erin" | "mike" | "carol", path: string) => {
  const answer = await world.get(person, path);
  assert.equal(answer.status, 200, path);
  return await answer.text();
};

/** Both places that have pages of runners, with a person who manages them. */
const places = ({ web }: World) =>
  [["mike", `/project/${web.id}/runners`], ["erin", "/admin/runners"]] as const;

const tokenIn = (html: string, kind: "cbo" | "cbm") =>
  new RegExp(`${kind}_[\\w-]{43}\\.\\d+`).exec(html)?.[0] ?? "";

Deno.test("an empty list explains runners, and leads to the first one", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const html = await read(world, person, path);
    assert.match(html, /A runner runs tasks where this server has no access/);
    assert.ok(html.includes(`${path}/new`));
  }
  const guest = await read(world, "carol", `/project/${world.web.id}/runners`);
  assert.ok(!guest.includes("/runners/new"));
});

Deno.test("a form creates a runner, and shows its token once", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const wrong = await world.post(person, `${path}/new`, { name: "", labels: "a!" });
    assert.equal(wrong.status, 422);
    const sent = { name: `of ${person}`, labels: "DMZ, eu", max_parallel_tasks: "2" };
    const made = await world.post(person, `${path}/new`, { ...sent, which_projects: "all" });
    assert.equal(made.status, 200);
    const dialog = await made.text();
    const token = tokenIn(dialog, "cbo");
    assert.match(dialog, /deno task runner register http:\/\/callboard\.test</);
    assert.match(dialog, /sudo callboard runner register http:\/\/callboard\.test</);
    assert.match(dialog, new RegExp(`docker run .* -v of-${person}:/data `));
    assert.match(dialog, /Runners only accept addresses that begin with https/);
    assert.match(dialog, /Waiting for the runner to connect/);
    assert.equal((await register(world, token)).status, 201);
    const html = await read(world, person, path);
    assert.ok(html.includes(`of ${person}`) && html.includes("dmz, eu"));
    assert.ok(!html.includes(token));
  }
  const [own, server] = await listRunners(world.kv);
  assert.deepEqual([own.project_id, server.project_id], [world.web.id, null]);
});

Deno.test("an address that only this machine reaches is named with its setting", async () => {
  await using world = await newWorld();
  const shown = async (url: string) => {
    world.deps.config.url = new URL(url);
    const path = `/project/${world.web.id}/runners/new`;
    const made = await world.post("mike", path, { name: url, which_projects: "all" });
    const html = await made.text();
    const [before, local = ""] = html.split('<details id="this-machine"');
    const hasProblem = local !== "";
    assert.equal(
      before.includes("callboard runner register"),
      !hasProblem,
      "no command for others",
    );
    assert.equal(local.includes("callboard runner register"), hasProblem, "one for this machine");
    return /alert-warning.*?<div[^>]*>(.*?)<\/div>/s.exec(html)?.[1];
  };
  assert.match(
    (await shown("http://127.0.0.1:4141"))!,
    /cannot reach this server at http:\/\/127\.0\.0\.1:4141\. Set CALLBOARD_URL/,
  );
  assert.match((await shown("https://localhost"))!, /cannot reach this server/);
  assert.equal(await shown("https://callboard.example.com"), undefined);
});

Deno.test("a runner that is not connected says why, and what to do next", async () => {
  await using world = await newWorld();
  const { id } = await newRunner(world);
  const path = `/project/${world.web.id}/runners/${id}`;
  const manager = await read(world, "mike", path);
  assert.match(manager, /No program has registered as this runner/);
  assert.equal(manager.split(`action="${path}/token"`).length, 2, "one button, beside the reason");
  assert.doesNotMatch(await read(world, "carol", path), /action="[^"]*\/token"/);
  const registered = await registeredRunner(world, { name: "other" });
  const page = () => read(world, "mike", `/project/${world.web.id}/runners/${registered.id}`);
  assert.match(await page(), /never connected\. Start it .*<code>callboard runner start/);
  const row = await findRunner(world.kv, registered.id);
  await touchRunner(world.deps, row!, crypto.randomUUID(), FACTS);
  assert.doesNotMatch(await page(), /callboard runner/);
  world.clock.advance(3_600_000);
  assert.match(await page(), /no longer connects.*<code>callboard runner doctor/);
});

Deno.test("a runner of the server is for all projects or for those that are chosen", async () => {
  await using world = await newWorld();
  const { web, lab } = world;
  const path = "/admin/runners";
  const some = { name: "far", which_projects: "some" };
  assert.equal((await world.post("erin", `${path}/new`, some)).status, 422);
  const ids = [String(web.id), String(lab.id)];
  assert.equal(
    (await world.post("erin", `${path}/new`, { ...some, project_ids: ids })).status,
    200,
  );
  const [{ id, project_ids }] = await listRunners(world.kv);
  assert.deepEqual(project_ids, [web.id, lab.id]);
  const html = await read(world, "erin", `${path}/${id}/edit`);
  assert.equal(html.match(/name="project_ids"[^>]*checked/g)?.length, 2);
  const change = { ...some, name: "near", project_ids: ids[0] };
  assert.equal((await world.post("erin", `${path}/${id}/edit`, change)).status, 303);
  const row = await findRunner(world.kv, id);
  assert.deepEqual([row?.name, row?.project_ids], ["near", [web.id]]);
  // The project that it is for shows it, and another one does not.
  assert.ok((await read(world, "mike", `/project/${web.id}/runners`)).includes("near"));
  const its = await read(world, "mike", `/project/${web.id}/runners/${id}`);
  assert.ok(!its.includes(`/runners/${id}/edit`));
  const { status } = await world.get("dave", `/project/${lab.id}/runners/${id}`);
  assert.equal(status, 404);
});

Deno.test("buttons pause, drain, resume, register, revoke and delete a runner", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const path = `/project/${world.web.id}/runners/${id}`;
  for (const state of ["paused", "draining", "active"] as const) {
    assert.equal((await world.post("mike", `${path}/state`, { state })).status, 303);
    assert.equal((await findRunner(world.kv, id))?.state, state);
  }
  await world.post("mike", `${path}/state`, { state: "paused" });
  assert.equal((await world.post("mike", `${path}/state`, { state: "other" })).status, 400);
  assert.equal((await findRunner(world.kv, id))?.state, "paused");
  const token = tokenIn(await (await world.post("mike", `${path}/token`)).text(), "cbo");
  assert.equal((await register(world, token)).status, 201);
  for (const part of ["revoke", "delete"]) {
    assert.match(await read(world, "mike", `${path}/${part}`), /Do you really want/);
    for (const person of ["bob", "carol"] as const) {
      assert.equal((await world.post(person, `${path}/${part}`)).status, 403);
      assert.equal((await world.get(person, `${path}/${part}`)).status, 403);
    }
    assert.equal((await world.post("mike", `${path}/${part}`)).status, 303);
  }
  assert.equal(await findRunner(world.kv, id), null);
});

Deno.test("a silent runner is shown with the time when it was last seen", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const path = `/project/${world.web.id}/runners`;
  assert.match(await read(world, "carol", path), /Never connected/);
  const runner = (await findRunner(world.kv, id))!;
  await touchRunner(world.deps, runner, crypto.randomUUID(), FACTS);
  const html = await read(world, "carol", `${path}/${id}`);
  assert.match(html, />Connected</);
  assert.match(html, /linux\/x64/);
  world.clock.advance(3 * 60_000);
  assert.match(await read(world, "carol", path), /Last seen <time/);
});

Deno.test("a form creates a reusable token, shows it once, and deletes it", async () => {
  await using world = await newWorld();
  for (const [person, path] of places(world)) {
    const sent = { name: "Image", labels: "vm", uses_max: "3", expires_at: "2040-01-01" };
    const made = await world.post(person, `${path}/tokens`, sent);
    assert.equal(made.status, 200);
    const token = tokenIn(await made.text(), "cbm");
    assert.equal((await register(world, token, `vm of ${person}`)).status, 201);
    const html = await read(world, person, `${path}/tokens`);
    assert.ok(html.includes("1 of 3") && !html.includes(token));
    const [, id] = /name="token" value="(\d+)"/.exec(html)!;
    assert.equal((await world.post(person, `${path}/tokens/delete`, { token: id })).status, 303);
    assert.equal((await register(world, token)).status, 401);
  }
  const { status } = await world.get("bob", `/project/${world.web.id}/runners/tokens`);
  assert.equal(status, 403);
});

Deno.test("the pages of the server's runners are for admins", async () => {
  await using world = await newWorld();
  const { id } = await newRunner(world, {}, null);
  const path = "/admin/runners";
  for (const page of ["", "/new", "/tokens", `/${id}`, `/${id}/edit`, `/${id}/revoke`, "/events"]) {
    assert.equal((await world.get("mike", path + page)).status, 404, page);
  }
  for (const page of ["/new", "/tokens", `/${id}/state`, `/${id}/token`, `/${id}/delete`]) {
    assert.equal((await world.post("mike", path + page, { name: "x" })).status, 404, page);
  }
});

Deno.test("a form that someone else was faster to save shows both", async () => {
  await using world = await newWorld();
  const { id } = await newRunner(world);
  const path = `/project/${world.web.id}/runners/${id}/edit`;
  const html = await read(world, "mike", path);
  const [, stored_version] = /name="stored_version" value="([^"]+)"/.exec(html)!;
  const sent = { stored_version, name: "dmz-1", which_projects: "all" };
  const theirs = { ...sent, description: "theirs" };
  assert.equal((await world.post("alice", path, theirs)).status, 303);
  const late = await world.post("mike", path, { ...sent, description: "mine" });
  assert.equal(late.status, 409);
  const shown = await late.text();
  assert.ok(shown.includes("theirs") && shown.includes("mine"));
  assert.equal((await findRunner(world.kv, id))?.description, "theirs");
});
