import assert from "node:assert/strict";
import { createPasswords } from "./passwords.ts";

Deno.test("a password is stored as Argon2id with OWASP's cost and a salt of its own", async () => {
  const passwords = createPasswords();
  const [first, second] = await Promise.all([passwords.hash("pass"), passwords.hash("pass")]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await passwords.verify("pass", first), true);
  assert.equal(await passwords.verify("Pass", first), false);
  assert.equal(await passwords.verify("päß wörd 🔑", await passwords.hash("päß wörd 🔑")), true);
});

Deno.test("checking passwords leaves the event loop free", async () => {
  const passwords = createPasswords();
  const encoded = await passwords.hash("pass");
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  await Promise.all(Array.from({ length: 6 }, () => passwords.verify("guess", encoded)));
  clearInterval(timer);
  assert.ok(ticks > 15, `${ticks} ticks`);
});

Deno.test("no account takes as long as a wrong password", async () => {
  const passwords = createPasswords();
  const encoded = await passwords.hash("pass");
  const took = async (hash: string | null) => {
    const start = performance.now();
    assert.equal(await passwords.verify("guess", hash), false);
    return performance.now() - start;
  };
  const median = async (hash: string | null) => {
    const times: number[] = [];
    for (let n = 0; n < 5; n++) times.push(await took(hash));
    return times.toSorted((a, b) => a - b)[2];
  };
  const known = await median(encoded);
  const unknown = await median(null);
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} ms, ${unknown} ms`);
});

Deno.test("a hash that cannot be read fails, and the next check works", async () => {
  const passwords = createPasswords();
  await assert.rejects(() => passwords.verify("pass", "no hash"));
  assert.equal(await passwords.verify("pass", await passwords.hash("pass")), true);
});

Deno.test("an empty password is nobody's, whatever is stored", async () => {
  const passwords = createPasswords({ memoryKib: 8, iterations: 1 });
  assert.equal(await passwords.verify("", await passwords.hash("pass")), false);
  assert.equal(await passwords.verify("", null), false);
});

Deno.test("a flood of passwords is told to come again, and those that wait are checked", async () => {
  const passwords = createPasswords();
  const results = await Promise.allSettled(
    Array.from({ length: 110 }, () => passwords.verify("", null).then(() => passwords.hash("x"))),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  assert.equal(refused.length, 10);
  assert.ok(refused.every((one) => (one as PromiseRejectedResult).reason.status === 503));
});
