import assert from "node:assert/strict";
import { join } from "node:path";
import { rowKeys } from "@/lib/store/keys.ts";
import { openStore } from "@/lib/store/file/open_store.ts";
import type { Store } from "@/lib/store/store.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** A world whose store is a file, which another process has open as well. */
async function withTwo(use: (world: World, other: Store) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "callboard_rights_" });
  try {
    const kvPath = join(home, "callboard.kv");
    await using world = await newWorld({ kvPath });
    using other = await openStore(kvPath);
    await use(world, other);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

const VALUE = { name: "Deploy", type: "none" };

Deno.test("the next request sees what another process has changed about who asks", () =>
  withTwo(async (world, other) => {
    const { web, people } = world;
    const list = `/api/project/${web.id}/inventory`;
    const statusOf = async (ask: ReturnType<World["api"]>) => (await ask).status;
    const read = () => statusOf(world.api("bob", "GET", list));
    const add = () => statusOf(world.api("bob", "POST", `/api/project/${web.id}/keys`, VALUE));
    const member = rowKeys.member(web.id, people.bob.id);
    const setRole = (role: string) =>
      other.set(member, { project_id: web.id, user_id: people.bob.id, role });
    const rows = async () => (await world.api("bob", "GET", list)).body.length;

    for (let n = 0; n < 20; n++) {
      assert.deepEqual([await read(), await read()], [200, 200]);
      await setRole("manager");
      assert.equal(await add(), 201);
      await setRole("guest");
      assert.equal(await add(), 403);
      await other.delete(member);
      assert.equal(await read(), 404);
      await setRole("task_runner");
      assert.equal(await read(), 200);
    }

    const project = await other.get<object>(rowKeys.project(web.id));
    await other.set(project.key, { ...project.value, deleting: true });
    assert.equal(await read(), 404);
    await other.set(project.key, project.value);
    assert.equal(await read(), 200);

    const count = await rows();
    const key = rowKeys.resource("inventories", web.id, web.inventoryId);
    const { value } = await other.get<object>(key);
    const extra = rowKeys.resource("inventories", web.id, 9_999);
    await other.atomic().set(extra, { ...value, id: 9_999 })
      .set(rowKeys.resourcesStamp("inventories"), 9_999).commit();
    assert.equal(await rows(), count + 1);

    for await (const { key } of other.list({ prefix: rowKeys.sessionsByUser(people.bob.id) })) {
      await other.delete(rowKeys.session(key[2] as string));
    }
    assert.equal(await read(), 401);
  }));

Deno.test("a token that another process has revoked is refused by the next request", () =>
  withTwo(async (world, other) => {
    const { body } = await world.api("bob", "POST", "/api/user/tokens", { name: "ci" });
    const headers = { Authorization: `Bearer ${body.id}` };
    const read = async () => {
      const answer = await world.request(`/api/project/${world.web.id}/inventory`, { headers });
      await answer.body?.cancel();
      return answer.status;
    };
    assert.deepEqual([await read(), await read()], [200, 200]);
    for await (
      const { key } of other.list({ prefix: rowKeys.apiTokensByUser(world.people.bob.id) })
    ) await other.delete(rowKeys.apiToken(key[2] as string));
    assert.equal(await read(), 401);
  }));
