import assert from "node:assert/strict";
import { type Ref, rowKeys } from "@/lib/store/keys.ts";
import type { Store } from "@/lib/store/store.ts";
import { openUrl } from "@/lib/resources/repositories/sealed_url.ts";
import { repositoryRows } from "@/lib/resources/repositories/repository.ts";
import { repositoryForm, templateForm } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

/** Does `work` right after a row was first read. Returns whether it did. */
function afterRead({ kv, web }: World, [kind, id]: Ref, work: () => Promise<unknown>) {
  const row = String(rowKeys.resource(kind, web.id, id));
  const get = kv.get.bind(kv);
  let done = false;
  kv.get = async <T>(...[key, options]: Parameters<Store["get"]>) => {
    const entry = await get<T>(key, options);
    if (!done && String(key) === row) {
      done = true;
      await work();
    }
    return entry;
  };
  return () => done;
}

async function change({ api, web }: World, [kind, id]: Ref, form: object) {
  const path = `/api/project/${web.id}/${kind}/${id}`;
  assert.equal((await api("mike", "PUT", path, { ...form, id })).status, 204);
}

Deno.test("sending a URL back unchanged keeps a password that was changed meanwhile", async () => {
  await using world = await newWorld();
  const { kv, web, deps } = world;
  const urlOf = (userinfo: string) => `https://${userinfo}@git.example.com/x.git`;
  const form = (userinfo: string) => repositoryForm(world, { git_url: urlOf(userinfo) });
  const path = `/api/project/${web.id}/repositories`;
  const { body: { id } } = await world.api("mike", "POST", path, form("bot:old"));
  const happened = afterRead(
    world,
    ["repositories", id],
    () => change(world, ["repositories", id], form("bot:new")),
  );
  await change(world, ["repositories", id], form("***"));
  assert.ok(happened());
  const stored = await repositoryRows.get(kv, web.id, id);
  assert.equal(revealed(await openUrl(deps.secrets, stored)), urlOf("bot:new"));
});

Deno.test("a client that knows only a template's first environment restores none that was removed meanwhile", async () => {
  await using world = await newWorld();
  const { web } = world;
  const project = `/api/project/${web.id}`;
  const { body: more } = await world.api("mike", "POST", `${project}/environment`, {
    name: "More",
    json: "{}",
  });
  const { environment_id: _, ...form } = templateForm(world, {});
  const both = { ...form, environment_ids: [web.environmentId, more.id] };
  const { body: { id } } = await world.api("mike", "POST", `${project}/templates`, both);
  const happened = afterRead(
    world,
    ["templates", id],
    () => change(world, ["templates", id], { ...form, environment_ids: [web.environmentId] }),
  );
  await change(world, ["templates", id], { ...form, environment_id: web.environmentId });
  assert.ok(happened());
  const { body } = await world.api("mike", "GET", `${project}/templates/${id}`);
  assert.deepEqual(body.environment_ids, [web.environmentId]);
});
