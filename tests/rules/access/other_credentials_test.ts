import assert from "node:assert/strict";
import { reveal } from "@/lib/base/secret.ts";
import { issueIdentity } from "@/lib/queue/plan/identity.ts";
import { getTaskRow } from "@/lib/model/tasks.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { EXAMPLES, goodCall } from "@/tests/support/world/api_calls.ts";
import { makeInProject } from "@/tests/support/world/own_keys.ts";
import {
  FACTS,
  newRunner,
  PUBLIC_KEY,
  register,
  registeredRunner,
  reusableToken,
  runnerApi,
} from "@/tests/support/world/runners.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const METRICS_TOKEN = "metrics-token-of-the-test";
const URL_OF_SERVER = new URL("http://callboard.test/");
const newServer = () => newWorld({ config: { url: URL_OF_SERVER, metricsToken: METRICS_TOKEN } });

/** Creates each secret that is a server's and not a person's, with the only door that it opens. */
async function newCredentials(world: World): Promise<[name: string, text: string, door: Door][]> {
  const { web, lab, deps, kv, deploy } = world;
  const integration = { name: "Push", template_id: deploy.id };
  const integrationId = await makeInProject(world, "integrations", integration);
  const aliases = `/api/project/${web.id}/integrations/${integrationId}/aliases`;
  const alias = await world.api("alice", "POST", aliases);
  const feed = await world.api("alice", "POST", `/api/project/${web.id}/alert_feed`);
  const task = await makeInProject(world, "tasks", { template_id: deploy.id });
  const identity = await issueIdentity(deps, await getTaskRow(kv, web.id, task), "vault");
  const ofLab = { ...world, web: { ...web, id: lab.id }, people: { ...world.people } };
  ofLab.people.alice = world.people.dave;
  return [
    ["runner of the project", (await registeredRunner(world)).token, "runner"],
    ["runner of another project", (await registeredRunner(ofLab)).token, "runner"],
    ["runner of the server", (await registeredRunner(world, {}, null)).token, "runner"],
    ["one-time token", (await newRunner(world)).registrationToken, "registration"],
    ["reusable token", await reusableToken(world, { id: 99 }), "registration"],
    ["address of a webhook", new URL(alias.body.url).pathname.split("/").at(-1)!, "webhook"],
    ["token of a feed", feed.body.token, "feed"],
    ["identity of a task", reveal(identity, "show"), "none"],
    ["token for metrics", METRICS_TOKEN, "metrics"],
  ];
}

type Door = "runner" | "registration" | "webhook" | "feed" | "metrics" | "none";

const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

/** Sends a text to each door that needs one. Returns the status. */
const DOORS: Record<Exclude<Door, "none">, (world: World, text: string) => Promise<number>> = {
  runner: async (world, token) => {
    const body = { ...EXAMPLES.pollForRuns as object, facts: FACTS, wait_ms: 0 };
    return (await runnerApi(world, "/api/runner/poll", { token, body })).status;
  },
  registration: async (world, text) =>
    (await register(world, text, crypto.randomUUID(), PUBLIC_KEY)).status,
  webhook: async (world, text) =>
    (await world.request(`/api/integrations/${text}`, { method: "POST" })).status,
  feed: async (world, text) => (await world.request(`/api/feeds/${text}`)).status,
  metrics: async (world, text) =>
    (await world.request("/metrics", { headers: bearer(text) })).status,
};

Deno.test("a credential that is not a person's opens its own door, and no other", async () => {
  await using world = await newServer();
  for (const [name, text, its] of await newCredentials(world)) {
    for (const [door, open] of Object.entries(DOORS)) {
      const status = await open(world, text);
      assert.equal(status < 300, door === its, `${name} at ${door}: ${status}`);
    }
  }
});

Deno.test("a credential that is not a person's opens no operation of people, and no page", async () => {
  await using world = await newServer();
  const credentials = await newCredentials(world);
  for (const operation of allOperations) {
    if (operation.access === "public") continue;
    const { path, body } = await goodCall(operation, world, "erin");
    for (const [name, text] of credentials) {
      for (const headers of [bearer(text), { Cookie: `callboard=${text}` }]) {
        const { status } = await world.request(path, {
          method: operation.method,
          headers: { ...headers, "Content-Type": "application/json" },
          body: body === undefined || operation.method === "GET" ? undefined : JSON.stringify(body),
        });
        assert.equal(status, 401, `${operation.id} by ${name}`);
      }
    }
  }
  for (const [name, text] of credentials) {
    for (const headers of [bearer(text), { Cookie: `callboard=${text}` }]) {
      const page = await world.request(`/project/${world.web.id}/templates`, { headers });
      assert.equal(page.status, 303, name);
      assert.match(page.headers.get("location")!, /\/auth\/login/);
    }
  }
});
