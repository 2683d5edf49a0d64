import assert from "node:assert/strict";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { pageAddresses } from "@/tests/support/world/page_addresses.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/**
 * Sends a request as a browser in which Erin is signed in would, made by a page of another site.
 */
async function forged(world: World, method: string, path: string, type: string, body: string) {
  const answer = await world.request(path, {
    method,
    headers: {
      Cookie: `callboard=${world.people.erin.token}`,
      Origin: "https://evil.example",
      "Sec-Fetch-Site": "cross-site",
      "Content-Type": type,
    },
    body,
  });
  await answer.body?.cancel();
  return answer.status;
}

Deno.test("no call of the API that changes something is taken from a page of another site", async () => {
  const taken: string[] = [];
  for (const operation of allOperations) {
    const { id, method, access } = operation;
    if (method === "GET" || access === "public") continue;
    await using world = await newWorld();
    const { path, body } = await goodCall(operation, world, "erin");
    const sent = JSON.stringify(body ?? {});
    if (await forged(world, method, path, "application/json", sent) !== 403) taken.push(id);
    // Forms can send texts without a preflight request.
    if (await forged(world, method, path, "text/plain", sent) !== 403) taken.push(`${id} as text`);
  }
  assert.deepEqual(taken, []);
});

Deno.test("no page takes a form from a page of another site", async () => {
  await using world = await newWorld();
  const { web } = world;
  const ids: Record<string, string | number> = {
    projectId: web.id,
    templateId: web.templateId,
    keyId: web.keyId,
    inventoryId: web.inventoryId,
    repositoryId: web.repositoryId,
    environmentId: web.environmentId,
  };
  const taken: string[] = [];
  let pages = 0;
  for (const address of await pageAddresses()) {
    const path = address.replace(/\[(\w+)\]/g, (_, name) => `${ids[name] ?? 1}`);
    const type = "application/x-www-form-urlencoded";
    pages++;
    if (await forged(world, "POST", path, type, "name=Forged") !== 403) taken.push(path);
  }
  assert.ok(pages > 60, `${pages} pages`);
  assert.deepEqual(taken, []);
});
