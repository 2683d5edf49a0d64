import assert from "node:assert/strict";
import type { AppError } from "../../base/errors.ts";
import { createMemory } from "../memory.ts";
import { createTurnQueue } from "./turns.ts";

const RULES = {
  name: "tests",
  parallelMax: 1,
  turnMs: 0,
  max: 5,
  accountMax: 3,
  full: "server",
  accountFull: "account",
};
const stays = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("accounts take turns one after the other, however much work one of them has", async () => {
  const server = { memory: createMemory() };
  const queue = createTurnQueue(RULES);
  const order: string[] = [];
  const work = async (account: number, name: string, turns: number) => {
    using part = queue.join(server, account, stays);
    for (let n = 0; n < turns; n++) {
      assert.ok(await part.next());
      order.push(name);
      await settled();
    }
  };
  await Promise.all([work(1, "a", 2), work(1, "b", 2), work(1, "c", 2), work(2, "d", 3)]);
  assert.equal(order.length, 9);
  assert.match(order.join(""), /d[abc]d[abc]d/);
});

Deno.test("work that no one waits for leaves the queue, and other work continues", async () => {
  const server = { memory: createMemory() };
  const queue = createTurnQueue(RULES);
  using first = queue.join(server, 1, stays);
  const reader = new AbortController();
  using left = queue.join(server, 1, reader.signal);
  using last = queue.join(server, 2, stays);
  assert.ok(await first.next());
  const waits = [left.next(), last.next()];
  reader.abort();
  assert.equal(await waits[0], false);
  first[Symbol.dispose]();
  assert.equal(await waits[1], true);
  assert.equal(await left.next(), false);
});

Deno.test("a turn goes to others while a reader is slow", async () => {
  const server = { memory: createMemory() };
  const queue = createTurnQueue({ ...RULES, turnMs: 60_000 });
  using slow = queue.join(server, 1, stays);
  using other = queue.join(server, 2, stays);
  assert.ok(await slow.next());
  const wait = other.next();
  slow.rest();
  assert.ok(await slow.next(), "it has come back at once");
  let isOthers = false;
  wait.then(() => isOthers = true);
  await settled();
  assert.equal(isOthers, false);
  slow.rest();
  assert.ok(await wait);
});

Deno.test("participants are limited in all and per account, and slots are released", () => {
  const server = { memory: createMemory() };
  const queue = createTurnQueue(RULES);
  const refused = (account: number, key: string) =>
    assert.throws(() => queue.join(server, account, stays), (error: AppError) => {
      assert.deepEqual([error.status, error.key], [429, key]);
      return true;
    });
  const parts = [1, 1, 1].map((account) => queue.join(server, account, stays));
  refused(1, "account");
  parts.push(...[2, 2].map((account) => queue.join(server, account, stays)));
  refused(3, "server");
  for (const part of parts) part[Symbol.dispose]();
  using _again = queue.join(server, 1, stays);
});
