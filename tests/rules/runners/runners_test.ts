import assert from "node:assert/strict";
import { authenticateRunner } from "@/lib/runners/authenticate.ts";
import { seenRunners, startPresence, touchRunner } from "@/lib/runners/presence.ts";
import { findRunner, listRunners, putRunner } from "@/lib/runners/repository.ts";
import { servesProject } from "@/lib/runners/rows.ts";
import { newRegistrationToken } from "@/lib/runners/service.ts";
import { openProject } from "@/lib/access/scope.ts";
import { conceal, reveal, type Secret } from "@/lib/base/secret.ts";
import { connect } from "@/lib/runner/program/connection.ts";
import { createRotation } from "@/lib/runner/program/rotation.ts";
import { newRunnerKeys } from "@/lib/runner/seal.ts";
import { tryServer } from "@/lib/runner/program/try_server.ts";
import { rowKeys } from "@/lib/store/keys.ts";
import { writeAll } from "@/lib/store/rows/write_all.ts";
import {
  FACTS,
  newRunner,
  PUBLIC_KEY,
  register,
  registeredRunner,
  reusableToken,
  runnerApi,
} from "@/tests/support/world/runners.ts";
import { serveWorld } from "@/tests/support/world/serve_world.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const bearer = (token: string) => new Headers({ Authorization: `Bearer ${token}` });

const newPublicKey = async () => (await newRunnerKeys()).publicKey;

Deno.test("a one-time token is exchanged once, for a token that is stored as a hash", async () => {
  await using world = await newWorld();
  const { id, registrationToken } = await newRunner(world, { labels: "DMZ, linux" });
  assert.match(registrationToken, new RegExp(`^cbo_.{43}\\.${id}$`));
  const first = await register(world, registrationToken);
  assert.equal(first.status, 201);
  assert.equal(first.body.runner_id, id);
  assert.equal(first.body.name, "dmz-1");
  const row = await findRunner(world.kv, id);
  assert.equal(row?.public_key, PUBLIC_KEY);
  assert.deepEqual(row?.labels, ["dmz", "linux"]);
  assert.deepEqual(row?.facts, FACTS);
  assert.ok(!JSON.stringify(row).includes(first.body.token));
  assert.ok(!JSON.stringify(row).includes(registrationToken));
  const second = await register(world, registrationToken, "program", await newPublicKey());
  assert.equal(second.status, 401);
  assert.match(second.body.error, /already used/);
  assert.equal((await authenticateRunner(world.deps, bearer(first.body.token))).id, id);
});

Deno.test("a key that encrypts nothing is refused, and the token stays valid", async () => {
  await using world = await newWorld();
  const { registrationToken: token } = await newRunner(world);
  const send = (body: Record<string, unknown>) =>
    runnerApi(world, "/api/runner/register", {
      body: { token, public_key: PUBLIC_KEY, name: "a", facts: FACTS, ...body },
    });
  const lowOrder = "4Ot6fDtBuK4WVuP68Z_EatoJjeucMrH9hmIFFl9JuAA";
  for (const public_key of ["A".repeat(43), "_".repeat(43), lowOrder]) {
    assert.equal((await send({ public_key })).status, 400, public_key);
  }
  assert.equal((await send({ name: "a\nb" })).status, 400);
  assert.equal((await send({ facts: { ...FACTS, platform: "\x1b[31m" } })).status, 400);
  assert.equal((await send({})).status, 201);
});

Deno.test("a runner can rotate its token only so often", async () => {
  await using world = await newWorld();
  const { token } = await registeredRunner(world);
  const calls = Array.from({ length: 80 }, () => runnerApi(world, "/api/runner/token", { token }));
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([201, 429]));
});

Deno.test("of two parallel exchanges of a one-time token, one wins", async () => {
  await using world = await newWorld();
  for (let n = 0; n < 10; n++) {
    const { id, registrationToken } = await newRunner(world);
    const keys = await Promise.all([newPublicKey(), newPublicKey(), newPublicKey()]);
    const answers = await Promise.all(
      keys.map((key) => register(world, registrationToken, "program", key)),
    );
    const won = answers.filter(({ status }) => status === 201);
    assert.equal(won.length, 1, JSON.stringify(answers.map(({ body }) => body)));
    assert.equal(answers.filter(({ status }) => status === 401).length, 2);
    assert.equal((await authenticateRunner(world.deps, bearer(won[0].body.token))).id, id);
  }
});

Deno.test("a lost answer to a registration is repeated for the same key until the first poll", async () => {
  await using world = await newWorld();
  const { id, registrationToken } = await newRunner(world);
  const lost = await register(world, registrationToken);
  world.clock.advance(1000);
  const answer = await register(world, registrationToken);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  await assert.rejects(authenticateRunner(world.deps, bearer(lost.body.token)), { status: 401 });
  const runner = await authenticateRunner(world.deps, bearer(answer.body.token));
  world.clock.advance(1000);
  await touchRunner(world.deps, runner, crypto.randomUUID(), FACTS);
  const late = await register(world, registrationToken);
  assert.equal(late.status, 401);
  assert.match(late.body.error, /already used/);
  assert.equal((await authenticateRunner(world.deps, bearer(answer.body.token))).id, id);
});

Deno.test("an answer that was lost is not repeated after an hour", async () => {
  await using world = await newWorld();
  const { registrationToken } = await newRunner(world);
  assert.equal((await register(world, registrationToken)).status, 201);
  world.clock.advance(60 * 60_000 + 1);
  const late = await register(world, registrationToken);
  assert.match(late.body.error, /expired/);
});

Deno.test("the program of a runner replaces an old token through the real routes", async () => {
  await using world = await newWorld();
  const { token } = await registeredRunner(world);
  const { url, stop } = serveWorld(world);
  const target = { server: new URL(url).origin, token: conceal(token), caCerts: [] };
  const kept: string[] = [];
  const connection = connect(target);
  const keep = (next: Secret) => Promise.resolve(void kept.push(reveal(next, "server")));
  const rotateIfOld = createRotation({
    ...{ connection, target, log() {} },
    tokens: { issued: 0, keep },
  });
  await rotateIfOld();
  await rotateIfOld();
  connection.close();
  assert.equal(kept.length, 1);
  await authenticateRunner(world.deps, bearer(token));
  await tryServer(target);
  await assert.rejects(authenticateRunner(world.deps, bearer(token)), { status: 401 });
  await authenticateRunner(world.deps, bearer(kept[0]!));
  await stop();
});

Deno.test("registration tokens that are unknown or expired are refused with a sentence", async () => {
  await using world = await newWorld();
  const { registrationToken } = await newRunner(world);
  const wrong = registrationToken.replace(/^cbo_..../, "cbo_AAAA");
  for (const token of [wrong, "x", `cbo_${"A".repeat(43)}.999`, `cbm_${"A".repeat(43)}.999`]) {
    const { status, body } = await register(world, token);
    assert.equal(status, 401, token);
    assert.match(body.error, /not valid/);
  }
  world.clock.advance(60 * 60_000 + 1);
  const { status, body } = await register(world, registrationToken);
  assert.equal(status, 401);
  assert.match(body.error, /expired/);
});

Deno.test("registering again ends the earlier token", async () => {
  await using world = await newWorld();
  const { deps, people, web } = world;
  const { id, token } = await registeredRunner(world);
  const scope = await openProject(
    { deps, actor: people.alice.actor },
    web.id,
    "manage_runners",
  );
  const again = await newRegistrationToken(scope, id);
  assert.equal((await authenticateRunner(deps, bearer(token))).id, id);
  const { body } = await register(world, again.token);
  await assert.rejects(authenticateRunner(deps, bearer(token)), { status: 401 });
  assert.equal((await authenticateRunner(deps, bearer(body.token))).id, id);
});

Deno.test("a reusable token creates runners until its limit or its end", async () => {
  await using world = await newWorld();
  const expires_at = new Date(world.clock.now().getTime() + 1000).toISOString();
  const token = await reusableToken(world, { uses_max: 2, expires_at });
  const answers = await Promise.all(["a", "b", "c"].map((name) => register(world, token, name)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 401]);
  const runners = await listRunners(world.kv);
  assert.equal(runners.length, 2);
  assert.deepEqual(
    runners.map(({ labels, max_parallel_tasks, project_id }) => ({
      labels,
      max_parallel_tasks,
      project_id,
    })),
    Array(2).fill({ labels: ["dmz"], max_parallel_tasks: 3, project_id: world.web.id }),
  );
  const late = await reusableToken(world, { id: 2, expires_at });
  world.clock.advance(1000);
  assert.match((await register(world, late)).body.error, /expired/);
});

Deno.test("a rotated token ends the one before when it is first used", async () => {
  await using world = await newWorld();
  const { token } = await registeredRunner(world);
  const rotate = (token: string) => runnerApi(world, "/api/runner/token", { token });
  const lost = await rotate(token);
  const { status, body } = await rotate(token);
  assert.equal(status, 201);
  await assert.rejects(authenticateRunner(world.deps, bearer(lost.body.token)), { status: 401 });
  await authenticateRunner(world.deps, bearer(token));
  await Promise.all([1, 2, 3].map(() => authenticateRunner(world.deps, bearer(body.token))));
  await assert.rejects(authenticateRunner(world.deps, bearer(token)), { status: 401 });
  assert.equal((await rotate(token)).status, 401);
});

Deno.test("a runner with another version of the protocol is asked to update", async () => {
  await using world = await newWorld();
  const { registrationToken } = await newRunner(world);
  const body = { token: registrationToken, public_key: PUBLIC_KEY, name: "a", facts: FACTS };
  for (const version of ["", "0", "99", "x"]) {
    const headers = { "X-Callboard-Runner": version };
    const answer = await runnerApi(world, "/api/runner/register", { body, headers });
    assert.equal(answer.status, 426, version);
    assert.match(answer.body.error, /same version of Callboard/);
  }
  assert.equal((await register(world, registrationToken)).status, 201);
});

Deno.test("registrations from one address are limited", async () => {
  await using world = await newWorld();
  const answers = await Promise.all(Array.from({ length: 70 }, () => register(world, "x")));
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 10);
  assert.equal(refused[0].headers.get("retry-after"), "1");
});

Deno.test("a token of another kind is not a runner's", async () => {
  await using world = await newWorld();
  const { registrationToken } = await newRunner(world);
  const { body: { id: personal } } = await world.api("alice", "POST", "/api/user/tokens", {});
  for (const token of [registrationToken, personal, "x"]) {
    await assert.rejects(authenticateRunner(world.deps, bearer(token)), { status: 401 }, token);
  }
  await assert.rejects(authenticateRunner(world.deps, new Headers()), { status: 401 });
});

Deno.test("a runner of the server serves all or named projects, one of a project only that", () => {
  const server = { project_id: null, project_ids: [] };
  assert.ok(servesProject(server, 7));
  assert.ok(servesProject({ ...server, project_ids: [7] }, 7));
  assert.ok(!servesProject({ ...server, project_ids: [7] }, 8));
  assert.ok(servesProject({ project_id: 7, project_ids: [] }, 7));
  assert.ok(!servesProject({ project_id: 7, project_ids: [8] }, 8));
});

Deno.test("the latest process of a runner wins, also on another server", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const runner = (await findRunner(world.kv, id))!;
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  const touch = (session: string) => touchRunner(world.deps, runner, session, FACTS);
  assert.equal(await touch(a), "current");
  assert.equal(await touch(a), "current");
  world.clock.advance(1000);
  assert.equal(await touch(b), "current");
  assert.equal(await touch(a), "replaced");
  const seen = (await seenRunners(world.kv)).get(id);
  assert.equal(seen?.session, b);
  assert.equal(seen?.at, world.clock.now().getTime());
});

Deno.test("a runner that has ended in order is not connected, until its next process", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const runner = (await findRunner(world.kv, id))!;
  const touch = (session: string, leaving: boolean) =>
    touchRunner(world.deps, runner, session, FACTS, leaving);
  const isShownOnline = async () =>
    (await world.api("mike", "GET", `/api/project/${world.web.id}/runners/${id}`)).body.online;
  const [a, b] = [crypto.randomUUID(), crypto.randomUUID()];
  const shown: boolean[] = [];
  for (const [session, leaving] of [[a, false], [a, true], [a, false], [a, true]] as const) {
    assert.equal(await touch(session, leaving), "current");
    shown.push(await isShownOnline());
  }
  assert.deepEqual(shown, [true, false, true, false]);
  assert.equal(await touch(b, false), "current");
  assert.equal(await touch(a, true), "replaced");
  assert.ok(await isShownOnline());
});

Deno.test("of processes that appear together, exactly one stays", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const runner = (await findRunner(world.kv, id))!;
  const sessions = Array.from({ length: 5 }, () => crypto.randomUUID());
  const touchAll = () =>
    Promise.all(sessions.map((session) => touchRunner(world.deps, runner, session, FACTS)));
  await touchAll();
  assert.equal((await touchAll()).filter((answer) => answer === "current").length, 1);
});

Deno.test("times are kept in memory and stored together, facts when they change", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const runner = (await findRunner(world.kv, id))!;
  const session = crypto.randomUUID();
  await touchRunner(world.deps, runner, session, FACTS);
  const stamp = async () => (await world.kv.get(rowKeys.runnersStamp())).versionstamp;
  const stored = async () => (await world.kv.get<number>(rowKeys.runnerSeen(id))).value;
  const [before, first] = [await stamp(), await stored()];
  world.clock.advance(30_000);
  await touchRunner(world.deps, runner, session, FACTS);
  assert.equal(await stored(), first);
  assert.equal((await seenRunners(world.kv)).get(id)?.at, world.clock.now().getTime());
  await startPresence(world.deps).stop();
  assert.equal(await stored(), world.clock.now().getTime());
  assert.equal(await stamp(), before);
  await touchRunner(world.deps, runner, session, { ...FACTS, version: "1.3.0" });
  assert.equal((await findRunner(world.kv, id))?.facts?.version, "1.3.0");
});

Deno.test("the times of more runners than a commit takes are stored", async () => {
  await using world = await newWorld();
  const { id: first } = await registeredRunner(world);
  const known = (await findRunner(world.kv, first))!;
  const runners = Array.from({ length: 1_001 }, (_, n) => ({ ...known, id: 1_000 + n }));
  const session = crypto.randomUUID();
  await writeAll(world.kv, runners, (op, runner) => {
    putRunner(op, runner);
    op.set(rowKeys.runnerSession(runner.id), { session, session_at: 0, replaced: [] });
  });
  for (const runner of runners) await touchRunner(world.deps, runner, session, known.facts!);
  await startPresence(world.deps).stop();
  const times = world.kv.list<number>({ prefix: rowKeys.runnersSeen() });
  const stored = (await Array.fromAsync(times)).filter(({ key }) => Number(key[1]) >= 1_000);
  assert.equal(stored.length, runners.length);
  const now = world.clock.now().getTime();
  assert.deepEqual(new Set(stored.map(({ value }) => value)), new Set([now]));
  assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
});

Deno.test("a store that fails at the end of a server is logged, and stops nothing", async () => {
  await using world = await newWorld();
  const { id } = await registeredRunner(world);
  const runner = (await findRunner(world.kv, id))!;
  await touchRunner(world.deps, runner, crypto.randomUUID(), FACTS);
  const broken = {
    ...world.kv,
    list: () => {
      throw new Error("the store fails");
    },
  };
  await startPresence({ ...world.deps, kv: broken }).stop();
  const failed = world.log.filter(({ event }) => event === "presence_failed");
  assert.equal(failed.length, 2);
});

Deno.test("deleting a project deletes its runners and tokens, and no others", async () => {
  await using world = await newWorld();
  const own = await registeredRunner(world);
  const server = await registeredRunner(world, {}, null);
  const token = await reusableToken(world);
  await touchRunner(world.deps, (await findRunner(world.kv, own.id))!, crypto.randomUUID(), FACTS);
  await world.api("alice", "DELETE", `/api/project/${world.web.id}`);
  assert.deepEqual((await listRunners(world.kv)).map(({ id }) => id), [server.id]);
  assert.equal((await register(world, token)).status, 401);
  await assert.rejects(authenticateRunner(world.deps, bearer(own.token)), { status: 401 });
  assert.equal((await seenRunners(world.kv)).size, 0);
});
