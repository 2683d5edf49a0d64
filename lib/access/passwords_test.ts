import assert from "node:assert/strict";
import { type PasswordJob, runPasswordJob } from "./password_job.ts";
import { createMemory } from "../store/memory.ts";
import { createPasswords } from "./passwords.ts";

const server = { memory: createMemory() };

Deno.test("a password is stored as Argon2id with OWASP's cost and a salt of its own", async () => {
  const passwords = createPasswords(server);
  const [first, second] = await Promise.all([passwords.hash("pass"), passwords.hash("pass")]);
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await passwords.verify("pass", first), true);
  assert.equal(await passwords.verify("Pass", first), false);
  assert.equal(await passwords.verify("päß wörd 🔑", await passwords.hash("päß wörd 🔑")), true);
});

Deno.test("checking passwords leaves the event loop free", async () => {
  const passwords = createPasswords(server);
  const encoded = await passwords.hash("pass");
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  await Promise.all(Array.from({ length: 6 }, () => passwords.verify("guess", encoded)));
  clearInterval(timer);
  assert.ok(ticks > 15, `${ticks} ticks`);
});

Deno.test("an account that does not exist costs the same work as a wrong password", async () => {
  const cost = { memoryKib: 256, iterations: 3 };
  const jobs: PasswordJob[] = [];
  const passwords = createPasswords(server, cost, (job) => {
    jobs.push(job);
    return runPasswordJob(job);
  });
  const encoded = await passwords.hash("pass");
  jobs.length = 0;
  assert.equal(await passwords.verify("guess", encoded), false);
  assert.equal(await passwords.verify("guess", null), false);
  assert.match(encoded, /\$m=256,t=3,p=1\$/);
  assert.deepEqual(jobs, [
    { kind: "verify", password: "guess", encoded },
    { kind: "hash", password: "guess", cost },
  ]);
});

Deno.test("a hash that was made elsewhere is correct", async () => {
  const passwords = createPasswords(server);
  const encoded = "$argon2id$v=19$m=64,t=2,p=1$BwcHBwcHBwcHBwcHBwcHBw$" +
    "umice9O/SZe9r/+7/Zdmuhxb/6PsJo3arYCsRYWmLII";
  assert.equal(await passwords.verify("päß wörd 🔑", encoded), true);
  assert.equal(await passwords.verify("pass", encoded), false);
});
