import assert from "node:assert/strict";
import { createSenders } from "./senders.ts";

Deno.test("receivers of one project that hang leave room for those of others", async () => {
  const senders = createSenders(1);
  const hanging = Promise.withResolvers<void>();
  const of = (project: number | null, n: number) => ({ name: `target ${project} ${n}`, project });
  let begun = 0;
  for (let n = 0; n < 40; n++) {
    if (senders.isBusy(of(1, n))) continue;
    begun++;
    await senders.start(of(1, n), () => hanging.promise);
  }
  assert.ok(begun > 1 && begun < 20, String(begun));
  assert.equal(senders.isBusy(of(1, 100)), true);
  assert.deepEqual([senders.isBusy(of(2, 1)), senders.isBusy(of(null, 1))], [false, false]);
  let sent = false;
  await senders.start(of(2, 1), () => Promise.resolve(void (sent = true)));
  assert.ok(sent);
  hanging.resolve();
  await senders.settled();
  assert.equal(senders.isBusy(of(1, 100)), false);
});

Deno.test("a receiver that hangs gets two messages at a time", async () => {
  const senders = createSenders(1);
  const hanging = Promise.withResolvers<void>();
  const one = { name: "target", project: 1 };
  for (const _ of [1, 2]) {
    assert.equal(senders.isBusy(one), false);
    await senders.start(one, () => hanging.promise);
  }
  assert.equal(senders.isBusy(one), true);
  assert.equal(senders.isBusy({ name: "other", project: 1 }), false);
  hanging.resolve();
  await senders.settled();
});
