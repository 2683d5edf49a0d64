import assert from "node:assert/strict";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { type Manner, RUDE, startRudePeer } from "@/tests/support/services/rude_peer.ts";
import { until } from "@/tests/support/basics/until.ts";
import { bodyChunks } from "./body.ts";
import { ForbiddenAddress } from "./checked_lookup.ts";
import { exchange, openAnswer } from "./exchange.ts";
import { answerStart, answerText, type Outgoing } from "./outgoing.ts";

const LIMIT_MS = 400;
/** Time by which a loaded machine may be late. These peers never end an exchange themselves. */
const LATE_MS = 10_000;
/** For answers that come. */
const PATIENT = { limitMs: 30_000 };
const BYTES_MAX = 1_000_000;
const anywhere = { mayReach: () => true };

/** The two ways on which requests are sent. */
const WAYS: [name: string, options: Partial<Outgoing>][] = [
  ["through the proxy variables", {}],
  ["to a checked address", { reach: anywhere }],
];

const ask = (url: string, options: Partial<Outgoing> = {}, bytesMax = BYTES_MAX) =>
  exchange(url, { limitMs: LIMIT_MS, ...options }, async (answer) => ({
    status: answer.status,
    text: await answerText(answer, bytesMax),
  }));

/** Returns the error of a promise, and the milliseconds until it came. */
async function failing(promise: Promise<unknown>): Promise<{ error: Error; ms: number }> {
  const begun = performance.now();
  try {
    await promise;
  } catch (error) {
    return { error: error as Error, ms: performance.now() - begun };
  }
  throw new assert.AssertionError({ message: "It did not fail." });
}

/** Reasons other than that there was no answer in time. */
const REASONS: Partial<Record<Manner, RegExp>> = {
  switches: /switched to another protocol \(101\)/,
  switchesBarely: /switched to another protocol \(101\)/,
  endlessBody: /more than 1000000 bytes|in time/,
  continues: /in time|too many/,
  processes: /in time|too many/,
  hints: /in time|too many/,
  endlessHead: /./,
  garbage: /./,
  greets: /./,
  dripsMessage: /./,
  halfClosed: /./,
  cut: /./,
};

for (const [way, options] of WAYS) {
  Deno.test(`an exchange ${way} ends in its time with any peer, and with its connection`, async () => {
    for (const manner of RUDE) {
      await using peer = startRudePeer(manner);
      const body = "x".repeat(manner === "deaf" ? 20_000_000 : 10);
      const { error, ms } = await failing(ask(peer.url, { ...options, method: "POST", body }));
      assert.match(error.message, REASONS[manner] ?? /^no answer in time$/, manner);
      assert.ok(ms < LIMIT_MS + LATE_MS, `${manner}: ${ms} ms`);
      assert.equal(peer.counts.opened, 1, manner);
      if (manner !== "deaf") await until(() => peer.open() === 0);
    }
  });

  Deno.test(`an exchange ${way} ends with its signal`, async () => {
    for (const manner of ["silent", "dripsBody", "hints"] as const) {
      await using peer = startRudePeer(manner);
      const gone = new AbortController();
      setTimeout(() => gone.abort(new Error("gone")), 50);
      const { error, ms } = await failing(ask(peer.url, { ...options, signal: gone.signal }));
      assert.equal(error.message, "gone");
      assert.ok(ms < LATE_MS);
      await until(() => peer.open() === 0);
    }
    const { error } = await failing(
      ask("http://127.0.0.1:9/", { ...options, signal: AbortSignal.abort(new Error("before")) }),
    );
    assert.equal(error.message, "before");
  });

  Deno.test(`an exchange ${way} has an answer, and follows no redirect`, async () => {
    await using peer = startRudePeer("polite");
    assert.deepEqual(await ask(peer.url, { ...options, ...PATIENT }), { status: 200, text: "ok" });
    peer.become("redirects");
    assert.deepEqual(await ask(peer.url, { ...options, ...PATIENT }), { status: 302, text: "" });
    const start = await exchange(
      peer.url,
      { ...options, ...PATIENT },
      ({ headers }) => headers.get("location"),
    );
    assert.equal(start, "/elsewhere");
    peer.become("endlessBody");
    const cut = await exchange(
      peer.url,
      { ...options, ...PATIENT },
      (answer) => answerStart(answer, 10),
    );
    assert.equal(cut, "xxxxxxxxxx");
    await until(() => peer.open() === 0);
  });

  Deno.test(`an exchange ${way} over TLS ends in its time, too`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const ca = await makeCertificates(folder, "IP:127.0.0.1");
      const read = (name: string) => Deno.readTextFileSync(`${folder}/${name}.pem`);
      const tls = { cert: read("cert"), key: read("key") };
      // Its TLS never begins.
      await using stalled = startRudePeer("silent");
      const https = stalled.url.replace("http:", "https:");
      assert.match((await failing(ask(https, options))).error.message, /^no answer in time$/);
      await until(() => stalled.open() === 0);
      for (const manner of ["switches", "silent", "dripsHead", "dripsBody"] as const) {
        await using peer = startRudePeer(manner, { tls });
        const { error, ms } = await failing(ask(peer.url, { ...options, ca: [ca] }));
        assert.match(error.message, REASONS[manner] ?? /^no answer in time$/, manner);
        assert.ok(ms < LIMIT_MS + LATE_MS, `${manner}: ${ms} ms`);
        await until(() => peer.open() === 0);
        peer.become("polite");
        assert.equal((await ask(peer.url, { ...options, ...PATIENT, ca: [ca] })).text, "ok");
        await assert.rejects(ask(peer.url, options), "an authority that no one trusts");
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("an exchange ends in its time with a reader or a proxy that never ends", async () => {
  await using peer = startRudePeer("polite");
  const never = exchange(peer.url, { limitMs: LIMIT_MS }, () => new Promise<never>(() => {}));
  assert.equal((await failing(never)).error.message, "no answer in time");
  peer.become("silent");
  using pool = Deno.createHttpClient({ proxy: { url: peer.url } });
  const { error, ms } = await failing(ask("https://192.0.2.1/", { pool }));
  assert.equal(error.message, "no answer in time");
  assert.ok(ms < LIMIT_MS + LATE_MS);
  await until(() => peer.open() === 0);
});

Deno.test("an exchange offers no HTTP/2, whose lost connections would fail all that follow", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const asking = failing(ask(`https://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/`));
  using connection = await listener.accept();
  const hello = new Uint8Array(16_384);
  const length = await connection.read(hello);
  const offered = new TextDecoder("latin1").decode(hello.subarray(0, length ?? 0));
  assert.ok(offered.startsWith("\x16\x03"), "TLS begins");
  assert.ok(!offered.includes("\x02h2"), offered);
  await asking;
});

Deno.test("an answer of any length has a limit for its beginning, and ends when it is left", async () => {
  await using peer = startRudePeer("dripsHead");
  const late = await failing(openAnswer(peer.url, { limitMs: LIMIT_MS }));
  assert.equal(late.error.message, "no answer in time");
  peer.become("endlessBody");
  {
    using answer = await openAnswer(peer.url, { limitMs: LIMIT_MS });
    assert.equal(answer.status, 200);
    await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 100));
    assert.equal((await answerStart(answer, 3)).length, 3);
  }
  await until(() => peer.open() === 0);
  peer.become("dripsBody");
  using answer = await openAnswer(peer.url, { limitMs: LIMIT_MS });
  await assert.rejects(Array.fromAsync(bodyChunks(answer, Infinity, 300)), { status: 408 });
  await until(() => peer.open() === 0);
});

Deno.test("the look-up of a name counts, and each of its addresses is checked", async () => {
  await using peer = startRudePeer("polite");
  const url = peer.url.replace("127.0.0.1", "name.invalid");
  const never = new Promise<never>(() => {});
  const late = await failing(ask(url, { reach: { ...anywhere, resolve: () => never } }));
  assert.equal(late.error.message, "no answer in time");
  const resolve = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  assert.equal((await ask(url, { reach: { ...anywhere, resolve } })).text, "ok");
  const nowhere = { mayReach: () => false, resolve };
  assert.ok((await failing(ask(url, { reach: nowhere }))).error instanceof ForbiddenAddress);
  assert.ok((await failing(ask(peer.url, { reach: nowhere }))).error instanceof ForbiddenAddress);
  assert.equal(peer.counts.opened, 1);
});

Deno.test("a peer that switches the protocol answers only a probe", async () => {
  await using peer = startRudePeer("switches");
  const options = { limitMs: LIMIT_MS, isProbe: true };
  assert.equal(await exchange(peer.url, options, ({ status }) => status), 101);
  await until(() => peer.open() === 0);
});
