import assert from "node:assert/strict";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const METRICS_TOKEN = "metrics-token-that-nobody-logs";
const WEBHOOK_SECRET = "webhook-secret-that-nobody-logs";
const GUESS = "guess-that-nobody-logs";

Deno.test("no log holds a password, a token, an alias or what a header brought, whatever fails", async () => {
  await using world = await newWorld({ config: { metricsToken: METRICS_TOKEN } });
  const project = `/api/project/${world.web.id}`;
  const { body: token } = await world.api("alice", "POST", "/api/user/tokens", {});
  const { body: alias } = await world.api("alice", "POST", `${project}/integrations/aliases`, {});
  const session = world.people.alice.token;
  const aliasText = alias.url.split("/").at(-1);
  const bearer = { Authorization: `Bearer ${token.id}` };
  const secrets = [PASSWORD, GUESS, METRICS_TOKEN, WEBHOOK_SECRET, token.id, session, aliasText];

  const ask = async () => {
    const query = new URLSearchParams({ token: token.id, password: PASSWORD, next: `/${session}` });
    const headers = {
      ...bearer,
      Cookie: `callboard=${session}`,
      Referer: `http://callboard.test/?${query}`,
      "X-Token": WEBHOOK_SECRET,
    };
    for (const path of ["/", "/auth/login", "/account", "/api/user", "/api/no/such", "/metrics"]) {
      await world.request(`${path}?${query}`, { headers });
    }
    await world.request("/metrics", { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    const hook = { method: "POST", headers, body: JSON.stringify({ token: token.id }) };
    await world.request(`/api/integrations/${aliasText}?${query}`, hook);
    await world.api(null, "POST", "/api/auth/login", { auth: "alice", password: GUESS });
    await world.api(null, "POST", "/api/auth/login", { auth: PASSWORD, password: PASSWORD });
    await world.api("alice", "POST", `/api/users/${world.people.alice.id}/password`, {
      password: PASSWORD,
      current_password: GUESS,
    });
    await world.api("alice", "DELETE", `/api/user/tokens/${token.id}x?${query}`);
    await world.post("alice", "/account/password", { current_password: GUESS, password: PASSWORD });
    await world.request("/auth/login", { method: "PURGE", headers });
  };

  await ask();
  // The same while nothing works, when each failure is logged with its cause.
  const { atomic } = world.kv;
  world.kv.atomic = () => {
    throw new Error("The store is broken.");
  };
  await ask();
  world.kv.atomic = atomic;
  const broken = () => Promise.reject(new Error("The store is broken."));
  Object.assign(world.kv, { get: broken, getMany: broken });
  await ask();

  const logged = JSON.stringify(world.log);
  assert.ok(world.log.some(({ event }) => event === "request_failed"));
  assert.ok(world.log.some(({ event }) => event === "sign_in_failed"));
  for (const secret of secrets) assert.ok(!logged.includes(secret), secret);
});
