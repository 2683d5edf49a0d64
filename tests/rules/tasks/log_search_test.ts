import assert from "node:assert/strict";
import { loggedTask } from "@/tests/support/world/logged_task.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Finds nothing, and needs many states for each letter of these lines. */
const SLOW = "[ab]*a[ab]{60}[^abd]";
/** Yields random letters a and b, the same each time. */
function* lines() {
  for (let seed = 1;;) {
    yield Array.from({ length: 1_000 }, () => {
      seed = seed * 48_271 % 2_147_483_647;
      return seed & 64 ? "a" : "b";
    }).join("");
  }
}
const LINES = lines().take(2_000).toArray();

async function slowTask(world: World) {
  const task = await loggedTask(world, 0);
  await task.print(...LINES);
  return `/api${task.path}/search?regex=true&q=${encodeURIComponent(SLOW)}`;
}

Deno.test("an expression that takes long keeps no one waiting, and says how far it came", async () => {
  await using world = await newWorld();
  const url = await slowTask(world);
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const { status, body } = await world.api("carol", "GET", url);
  clearInterval(ticking);
  assert.equal(status, 200);
  assert.ok(body.counted > 0 && body.counted < 2_000, JSON.stringify(body));
  // A line takes some milliseconds, and a chunk has 32 lines. Other requests run in between.
  assert.ok(turns >= 10, `others had ${turns} turns`);
  const next = await world.api("carol", "GET", `${url}&after=${body.counted}`);
  assert.ok(next.body.counted > body.counted);
});

Deno.test("one account searches four times in parallel, and does not delay others", async () => {
  await using world = await newWorld();
  const url = await slowTask(world);
  const ask = async (who: "carol" | "bob") => (await world.api(who, "GET", url)).status;
  const [others, ...own] = await Promise.all([
    ask("bob"),
    ...Array.from({ length: 6 }, () => ask("carol")),
  ]);
  assert.equal(others, 200);
  assert.deepEqual(own.toSorted(), [200, 200, 200, 200, 429, 429]);
  assert.equal(await ask("carol"), 200, "places are given back");
});

Deno.test("two of all searches on a server read at a time, even if many accounts search", async () => {
  await using world = await newWorld();
  const url = await slowTask(world);
  let begun = 0;
  const list = world.kv.list.bind(world.kv);
  world.kv.list = ((selector: Deno.KvListSelector, options?: Deno.KvListOptions) => {
    if (options?.batchSize === 64) begun++;
    return list(selector, options);
  }) as typeof world.kv.list;
  const everybody = ["alice", "mike", "bob", "carol"] as const;
  let answered = 0;
  await Promise.all(everybody.flatMap((who) =>
    Array.from({ length: 2 }, async () => {
      assert.equal((await world.api(who, "GET", url)).status, 200);
      answered++;
      assert.ok(begun <= answered + 2, `${begun} begun, ${answered} answered`);
    })
  ));
  assert.equal(answered, 8);
});

Deno.test("leaving a page that searches ends the search", async () => {
  await using world = await newWorld();
  const task = await loggedTask(world, 0);
  await task.print(...LINES);
  const page = `${task.path}?regex=on&q=${encodeURIComponent(`${SLOW}|a`)}`;
  for (let n = 0; n < 6; n++) {
    const { body, status } = await world.get("carol", page);
    assert.equal(status, 200);
    // Its first lines are sent before the search has ended.
    const stream = readStream(body!);
    await stream.until(/id="L1"/);
    // If searches went on, more than four would not be let in.
    await stream.cancel();
  }
});
