import assert from "node:assert/strict";
import { connect } from "node:tls";
import { join } from "node:path";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { installStandIn, startRealServer } from "@/tests/support/server/real_server.ts";
import { until } from "@/tests/support/basics/until.ts";

const NAMES = "DNS:localhost,IP:127.0.0.1";
/** Files are read again at an interval of ten seconds. */
const RENEW_MS = 20_000;

/** A server that speaks TLS, and what clients need to trust it after a renewal too. */
async function newStage(env: Record<string, string> = {}) {
  const cleanup = new AsyncDisposableStack();
  const dir = await Deno.makeTempDir({ prefix: "callboard_tls_" });
  cleanup.defer(() => Deno.remove(dir, { recursive: true }));
  // The folder of the next certificate is ready, so that a replacement takes no time.
  const next = join(dir, "next");
  await Deno.mkdir(next);
  const caCerts = [await makeCertificates(dir, NAMES), await makeCertificates(next, NAMES)];
  const client = cleanup.use(Deno.createHttpClient({ caCerts }));
  const server = await startRealServer({
    dataDir: join(dir, "data"),
    ansibleDir: await installStandIn(join(dir, "stand_in")),
    client,
    env: {
      CALLBOARD_TLS_CERT: join(dir, "cert.pem"),
      CALLBOARD_TLS_KEY: join(dir, "key.pem"),
      CALLBOARD_DRAIN_SECONDS: "0",
      ...env,
    },
  });
  cleanup.defer(async () => void await server.end("SIGTERM"));
  const { hostname, port } = new URL(server.url);
  return {
    dir,
    next,
    server,
    client,
    caCerts,
    port: Number(port),
    hostname,
    /** Returns the fingerprint of the certificate that a new connection gets. */
    fingerprint: () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port), ca: caCerts }, () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        });
        socket.on("error", reject);
      }),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}

type Stage = Awaited<ReturnType<typeof newStage>>;

/** Sends requests in several ways until it is stopped. Returns the number answered, and errors. */
function load({ server, caCerts }: Stage) {
  let isOver = false;
  let answered = 0;
  const errors: string[] = [];
  const ask = async (client: Deno.HttpClient) => {
    try {
      const response = await fetch(new URL("/api/health", server.url), { client });
      await response.text();
      if (response.status === 200) answered++;
      else errors.push(String(response.status));
    } catch (error) {
      errors.push(String(error));
    }
  };
  const keeping = async (http2: boolean) => {
    using client = Deno.createHttpClient({ caCerts, http2, http1: !http2 });
    while (!isOver) await ask(client);
  };
  const connecting = async () => {
    while (!isOver) {
      using client = Deno.createHttpClient({ caCerts, poolMaxIdlePerHost: 0 });
      await ask(client);
    }
  };
  const all = Promise.all([keeping(true), keeping(false), connecting(), connecting()]);
  return async () => {
    isOver = true;
    await all;
    return { answered, errors };
  };
}

Deno.test("a server speaks TLS: pages, cookies, HTTP/2, and no version before 1.2", async () => {
  await using stage = await newStage();
  const { server, client, hostname, port, caCerts } = stage;
  assert.match(server.url, /^https:\/\//);
  const response = await fetch(new URL("/auth/login", server.url), { client });
  assert.equal(response.status, 200);
  assert.match(await response.text(), /<form/);
  const signedIn = await fetch(new URL("/api/auth/login", server.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ auth: "admin", password: "only for tests" }),
    client,
  });
  assert.match(signedIn.headers.getSetCookie().join(), /; Secure/i);
  await signedIn.body?.cancel();
  const { body } = await server.api("GET", "/api/user/sessions");
  assert.deepEqual(
    new Set(body.map(({ address }: { address: string }) => address)),
    new Set(["127.0.0.1"]),
  );
  using connection = await Deno.connectTls({ hostname, port, caCerts, alpnProtocols: ["h2"] });
  assert.equal((await connection.handshake()).alpnProtocol, "h2");
  const { success } = await new Deno.Command("openssl", {
    args: ["s_client", "-connect", `${hostname}:${port}`, "-tls1_1"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  assert.equal(success, false);
});

Deno.test("a replaced certificate is used without a failed request, and connections stay open", async () => {
  await using stage = await newStage();
  const { dir, next, server, client, fingerprint } = stage;
  const before = await fingerprint();
  const socket = new WebSocket(
    server.url.replace(/^http/, "ws") + "api/ws",
    // deno-lint-ignore no-explicit-any -- Deno's own options
    { headers: { Cookie: server.cookie, Origin: new URL(server.url).origin }, client } as any,
  );
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  const stop = load(stage);
  await until(async () => await fingerprint() === before);
  for (const name of ["key.pem", "cert.pem"]) {
    await Deno.rename(join(next, name), join(dir, name));
  }
  const mark = performance.now();
  // The signal of `systemctl reload`.
  const service = new URL("../../../packaging/systemd/callboard.service", import.meta.url);
  const [, signal] = /^ExecReload=.* -(\w+) /m.exec(await Deno.readTextFile(service))!;
  Deno.kill(server.pid, `SIG${signal}` as Deno.Signal);
  await until(async () => await fingerprint() !== before);
  assert.ok(performance.now() - mark < 5_000, "the signal is faster than the interval");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const { answered, errors } = await stop();
  assert.deepEqual(errors, []);
  assert.ok(answered > 100, String(answered));
  assert.equal(socket.readyState, WebSocket.OPEN);
  socket.close();
  assert.match(server.output(), /certificate_renewed/);
  assert.doesNotMatch(server.output(), /debugger/i, "open to the machine");
});

Deno.test("a certificate that cannot be used does not replace the one in use, and Health says why", async () => {
  await using stage = await newStage();
  const { dir, next, server, fingerprint } = stage;
  const before = await fingerprint();
  await Deno.rename(join(next, "key.pem"), join(dir, "key.pem"));
  const health = async () => (await server.api("GET", "/api/health")).body;
  await until(async () => (await health()).status === "degraded", RENEW_MS);
  assert.match((await health()).checks.process.reason, /key is that of another certificate/);
  assert.equal(await fingerprint(), before);
  await Deno.rename(join(next, "cert.pem"), join(dir, "cert.pem"));
  await until(async () => await fingerprint() !== before, RENEW_MS);
  await until(async () => (await health()).status === "ok", RENEW_MS);
});

Deno.test("a client that connects and sends nothing is disconnected", async () => {
  await using stage = await newStage();
  using silent = await Deno.connect({ hostname: stage.hostname, port: stage.port });
  const mark = performance.now();
  assert.equal(await silent.read(new Uint8Array(1)).catch(() => null), null);
  assert.ok(performance.now() - mark < 15_000);
});

Deno.test("a start without a usable certificate says what is wrong", async () => {
  await using stage = await newStage();
  const { dir, next } = stage;
  const start = (env: Record<string, string>) =>
    startRealServer({
      dataDir: join(dir, "other"),
      env: { CALLBOARD_PORT: String(freePort()), ...env },
    }).then(() => "started", (error) => String(error));
  const cert = join(dir, "cert.pem");
  const mixed = await start({ CALLBOARD_TLS_CERT: cert, CALLBOARD_TLS_KEY: join(next, "key.pem") });
  assert.match(mixed, /CALLBOARD_TLS_KEY cannot be used: the key is that of another certificate/);
  assert.match(await start({ CALLBOARD_TLS_CERT: cert }), /require each other/);
});
