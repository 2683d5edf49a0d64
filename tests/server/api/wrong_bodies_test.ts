import assert from "node:assert/strict";
import { join } from "node:path";
import * as fc from "@/tests/packages/fast_check.ts";
import type { Operation } from "@/lib/access/operation.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import { installStandIn } from "@/tests/support/server/real_server.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { type WrongRequest, wrongRequest } from "@/tests/support/world/wrong_requests.ts";

/** Requests to each operation. One without a body gets a third, because less of it can be wrong. */
const RUNS = Number(Deno.env.get("FC_RUNS") ?? 30);
const SEED = Number(Deno.env.get("FC_SEED") ?? 20_240_502);
/** A request that takes longer hangs. */
const LIMIT_MS = 10_000;

const ENDS_SESSIONS = ["signIn", "signOut"];

/** Sends the request as Erin, who has every permission. Returns the answer with its text. */
async function send(world: World, operation: Operation, path: string, wrong: WrongRequest) {
  const url = new URL(path, "http://callboard.test");
  for (const [name, value] of wrong.query) url.searchParams.append(name, value);
  const answered = async () => {
    const response = await world.request(url.pathname + url.search, {
      method: operation.method,
      headers: {
        "Content-Type": "application/json",
        ...wrong.headers,
        Cookie: `callboard=${world.people.erin.token}`,
      },
      body: wrong.body ?? undefined,
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    return { status: response.status, text, isJson };
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), LIMIT_MS);
  });
  return await Promise.race([answered(), late]).finally(() => clearTimeout(timer));
}

/** Returns the good call's path with some of its values replaced. */
function wrongPath(operation: Operation, goodPath: string, { values }: WrongRequest): string {
  const names = operation.path.split("/");
  return goodPath.split("/").map((part, index) => {
    // The good path begins with "/api".
    const name = names[index - 1]?.match(/^\{(\w+)\}$/)?.[1];
    return name !== undefined && Object.hasOwn(values, name) ? values[name] : part;
  }).join("/");
}

function assertTold({ status, text, isJson }: Awaited<ReturnType<typeof send>>) {
  assert.ok(status >= 200 && status < 500, `${status} ${text.slice(0, 500)}`);
  if (status < 400) return;
  assert.ok(isJson, text.slice(0, 200));
  assert.equal(typeof JSON.parse(text).error, "string");
}

/** Accounts are tested twice, because one's own account is a special case. */
const cases = allOperations.flatMap((operation) =>
  operation.access === "admin_or_self"
    ? [{ operation, own: false }, { operation, own: true }]
    : [{ operation, own: false }]
);

for (const { operation, own } of cases) {
  const name = own ? `one's own ${operation.id}` : operation.id;
  Deno.test(`no request to ${name} breaks the server`, async () => {
    await using world = await newWorld();
    const { config, environment } = world.deps;
    const ansibleDir = await installStandIn(join(config.dataDir, "ansible"));
    environment.ansible.playbook = join(ansibleDir, "ansible-playbook");
    const good = await goodCall(operation, world, "erin");
    if (own) good.path = good.path.replace(/\d+/, String(world.people.erin.id));
    await fc.assert(
      fc.asyncProperty(wrongRequest(operation, good.body), async (wrong) => {
        // Longer than the period of any limiter.
        world.clock.advance(3_600_000);
        world.log.length = 0; // Otherwise each smaller request would fail, too.
        assertTold(await send(world, operation, wrongPath(operation, good.path, wrong), wrong));
        assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
      }),
      { numRuns: operation.method === "GET" ? Math.ceil(RUNS / 3) : RUNS, seed: SEED },
    );
    assert.equal((await world.api(null, "GET", "/api/ping")).body, "pong");
    if (ENDS_SESSIONS.includes(operation.id)) return;
    assert.equal((await world.api("erin", "GET", "/api/projects")).status, 200);
  });
}
