import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const RESTORES = 6;

/**
 * Returns the web project as a file, with its own address, an integration's address and a schedule.
 */
async function backUp(world: World): Promise<unknown> {
  const project = `/api/project/${world.web.id}`;
  const make = async (path: string, body: object) =>
    (await world.api("alice", "POST", project + path, body)).body;
  const integration = await make("/integrations", { name: "Push", template_id: world.deploy.id });
  await make(`/integrations/${integration.id}/aliases`, {});
  await make("/integrations/aliases", {});
  await make("/schedules", { template_id: world.deploy.id, cron_format: "0 3 * * *" });
  const { body } = await world.api("alice", "GET", `${project}/backup`);
  // As on another server: the addresses are free, and all restores want them.
  const taken = await Array.fromAsync(world.kv.list({ prefix: rowKeys.aliases() }));
  assert.equal(taken.length, 2);
  for (const { key } of taken) await world.kv.delete(key);
  return body;
}

Deno.test("parallel restores of one file create whole projects, and no address leads to two", async () => {
  await using world = await newWorld();
  const file = await backUp(world);
  const answers = await Promise.all(
    Array.from(
      { length: RESTORES },
      () => world.api("erin", "POST", "/api/projects/restore", file),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status), Array(RESTORES).fill(200));
  const whole = answers.map(({ body }) => body.id);
  const projects = (await world.api("erin", "GET", "/api/projects")).body
    .map(({ id }: { id: number }) => id);
  assert.deepEqual(projects.toSorted(), [world.web.id, world.lab.id, ...whole].toSorted());
  for (const id of whole) {
    const again = await world.api("erin", "GET", `/api/project/${id}/backup`);
    assert.deepEqual(withoutAddresses(again.body), withoutAddresses(file));
  }
  const addresses = await Array.fromAsync(
    world.kv.list<{ project_id: number }>({ prefix: rowKeys.aliases() }),
    ({ value }) => value.project_id,
  );
  assert.deepEqual(addresses.toSorted(), whole.flatMap((id) => [id, id]).toSorted());
  for await (
    const { key, value } of world.kv.list<{ deleting?: boolean }>({ prefix: ["projects"] })
  ) {
    assert.ok(!value.deleting, `${key.join("/")} is left half made`);
  }
});

/** Removes addresses from a file, because each project has its own. */
function withoutAddresses(file: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      file,
      (name, value) => name === "aliases" || name === "integration_aliases" ? value.length : value,
    ),
  );
}
