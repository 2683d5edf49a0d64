import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { newEverything } from "@/tests/support/server/everything.ts";
import { walk } from "@/tests/support/basics/walk.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const ROUTES = fileURLToPath(new URL("../../../routes", import.meta.url));

/**
 * Returns the addresses of all pages, with `[parameters]`, that a person may open or send a form
 * to.
 */
async function pagePatterns(): Promise<string[]> {
  const patterns: string[] = [];
  for await (const path of walk(ROUTES, /\.tsx?$/)) {
    const isPage = !/(^|\/)\(?_/.test(path) && (!path.startsWith("api/") || path.endsWith(".tsx"));
    if (isPage) patterns.push("/" + path.replace(/(^index|\/index)?\.tsx?$/, ""));
  }
  return patterns.toSorted();
}

/**
 * Returns values for the parameters of pages' addresses, in a world where everything has happened.
 */
async function parameters(world: World): Promise<Record<string, string | number>> {
  const { web, people } = world;
  const project = `/api/project/${web.id}`;
  const get = async (path: string) => (await world.api("erin", "GET", project + path)).body;
  const make = async (path: string, body: unknown) =>
    (await world.api("erin", "POST", project + path, body)).body.id;
  const [{ id: integrationId }] = await get("/integrations");
  const integration = `/integrations/${integrationId}`;
  const matcher = { name: "M", match_type: "body", key: "x", method: "equals", value: "y" };
  return {
    projectId: web.id,
    keyId: web.keyId,
    repositoryId: web.repositoryId,
    inventoryId: web.inventoryId,
    environmentId: web.environmentId,
    templateId: web.templateId,
    taskId: await endedTask(world),
    tab: "hosts",
    userId: people.carol.id,
    viewId: (await get("/views"))[0].id,
    integrationId,
    deliveryId: (await get(`${integration}/deliveries`))[0].id,
    ruleId: await make(`${integration}/matchers`, { ...matcher, body_data_type: "json" }),
    aliasId: (await get("/integrations/aliases"))[0].id,
    host: (await get("/hosts"))[0].name,
    runnerId: (await get("/runners"))[0].id,
    scheduleId: (await get("/schedules"))[0].id,
    credentialId: (await get("/host_configs"))[0].id,
    storageId: (await get("/secret_storages"))[0].id,
    toolchainId: (await get("/toolchains"))[0].id,
    ...await workflowIds(get),
    targetId: (await get("/alert_targets")).find(({ id }: { id: number }) => id > 0).id,
    eventId: encodeURIComponent((await get("/events/last"))[0].id),
    inviteId: (await get("/invites"))[0].id,
    // Not a valid one, which would end the session that the test uses.
    token: 0,
  };
}

/** A workflow with its first run and first step. */
async function workflowIds(get: (path: string) => Promise<{ id: number }[]>) {
  const [{ id }] = await get("/workflows");
  const [{ id: runId }] = await get(`/workflows/${id}/runs`);
  return { workflowId: id, runId, stepId: 1 };
}

async function endedTask(world: World): Promise<number> {
  const tasks = `/api/project/${world.web.id}/tasks`;
  const { body } = await world.api("alice", "POST", tasks, { template_id: world.deploy.id });
  await world.api("alice", "POST", `${tasks}/${body.id}/stop`, {});
  return body.id;
}

const fill = (pattern: string, values: Record<string, string | number>) =>
  pattern.replaceAll(/\[(\w+)\]/g, (_, name) => {
    assert.ok(name in values, `${pattern} needs a value for ${name}`);
    return String(values[name]);
  });

/**
 * Checks the headers that every page must have, no matter which part of the server made the
 * response.
 */
async function inspect(response: Response, what: string, signedIn = true): Promise<void> {
  const { headers, status } = response;
  assert.equal(headers.get("x-content-type-options"), "nosniff", what);
  assert.equal(headers.get("referrer-policy"), "same-origin", what);
  assert.equal(headers.get("x-frame-options"), "DENY", what);
  if (signedIn) assert.equal(headers.get("cache-control"), "private, no-store", what);
  const policy = headers.get("content-security-policy") ?? "";
  const isStream = headers.get("content-type") === "text/event-stream";
  const html = isStream ? "" : await response.text();
  if (isStream) await response.body!.cancel(); // a stream goes on for as long as it is read
  assert.match(policy, /frame-ancestors 'none'/, what);
  assert.doesNotMatch(policy, /unsafe|\*/, what);
  if (!headers.get("content-type")?.startsWith("text/html")) return;
  const nonce = /script-src 'self' 'nonce-(\w{32})'/.exec(policy)?.[1];
  if (status < 400 || status === 422) assert.ok(nonce, `${what}: ${policy}`);
  for (const [tag, attributes] of html.matchAll(/<(?:script|style)\b([^>]*)>/g)) {
    assert.ok(nonce && attributes.includes(` nonce="${nonce}"`), `${what}: ${tag}`);
  }
  assert.doesNotMatch(html, /<[^>]+\son\w+=/, what);
}

Deno.test("every page sends a policy without unsafe-inline, whose nonce its scripts have", async () => {
  await using world = await newEverything();
  const values = await parameters(world);
  const patterns = await pagePatterns();
  let shown = 0;
  for (const pattern of patterns) {
    const path = fill(pattern, values);
    for (const address of [path, `${path}?t=${values.taskId}`]) {
      const response = await world.get("erin", address);
      if (response.status === 200) shown++;
      await inspect(response, address, pattern !== "/metrics");
      await inspect(await world.get(null, address), `${address} as nobody`, false);
    }
  }
  assert.ok(shown > patterns.length, `${shown} answers of ${patterns.length} pages were shown`);
  // Comes last, since some of these delete things that other pages show.
  for (const pattern of patterns.filter((pattern) => pattern !== "/auth/logout")) {
    const path = fill(pattern, values);
    await inspect(await world.post("erin", path, { name: "" }), `POST ${path}`);
  }
});

Deno.test("pages that report failures do so, too", async () => {
  await using world = await newWorld();
  const { web } = world;
  const foreign = { method: "POST", headers: { Origin: "http://evil.example" } };
  const told: [number, Response][] = [
    [404, await world.get("bob", "/no/such/page")],
    [404, await world.get("dave", `/project/${web.id}/history`)],
    [403, await world.get("bob", "/project/restore")],
    [403, await world.request("/account", foreign)],
    [422, await world.post("bob", "/account", { name: "" })],
    [422, await world.post(null, "/auth/login", { auth: "bob", password: "wrong" })],
    [405, await world.request("/auth/login", { method: "PURGE" })],
  ];
  world.deps.clock.now = () => {
    throw new Error("The clock is broken.");
  };
  world.log.length = 0;
  told.push([500, await world.get("bob", "/account")]);
  assert.deepEqual(world.log.map(({ event }) => event), ["request_failed"]);
  for (const [status, response] of told) {
    assert.equal(response.status, status);
    await inspect(response, String(status), false);
  }
});
