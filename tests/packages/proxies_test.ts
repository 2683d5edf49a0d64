import assert from "node:assert/strict";
import { addPlays } from "@/tests/support/programs/real_plays.ts";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import {
  PROXIES,
  type ProxyName,
  type Site,
  startProxy,
} from "@/tests/support/programs/proxies.ts";
import { ADMIN, installStandIn } from "@/tests/support/server/real_server.ts";
import { newRealProject, type RealProject } from "@/tests/support/programs/real_project.ts";

const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** The snippets allow ten seconds for the headers of a request. */
const HEADER_LIMIT_MS = 20_000;

type Asked = RequestInit & { headers?: Record<string, string> };

/** A server behind a proxy, with a task that runs until it is stopped. */
async function newStage(name: ProxyName, base: string, { onSocket = false } = {}) {
  const cleanup = new AsyncDisposableStack();
  const dir = await Deno.makeTempDir({ prefix: "callboard_proxy_" });
  cleanup.defer(() => Deno.remove(dir, { recursive: true }));
  const ca = await makeCertificates(dir, "DNS:localhost");
  const site: Site = {
    ...{ dir, base, port: freePort(), plainPort: freePort(), callboardPort: freePort() },
    ...onSocket && { socket: `${dir}/callboard.sock` },
  };
  // The account of a proxy has to pass through the folder.
  await Deno.chmod(dir, 0o755);
  const { socket } = site;
  const direct = socket
    ? cleanup.use(Deno.createHttpClient({ proxy: { transport: "unix", path: socket } }))
    : undefined;
  const url = `https://localhost:${site.port}${base}`;
  const project = cleanup.use(
    await newRealProject({
      client: direct,
      ansible: (home) => installStandIn(`${home}/stand_in`),
      env: {
        CALLBOARD_URL: url,
        CALLBOARD_TRUST_PROXY: "true",
        CALLBOARD_PORT: String(site.callboardPort),
        ...socket && { CALLBOARD_SOCKET: socket, CALLBOARD_SOCKET_MODE: "666" },
        CALLBOARD_DRAIN_SECONDS: "0",
      },
    }),
  );
  cleanup.use(await startProxy(name, site));
  const client = cleanup.use(Deno.createHttpClient({ caCerts: [ca] }));
  const { cookie } = project.server;
  return {
    project,
    site,
    url,
    ca,
    /** Sends a request through the proxy, as the administrator. */
    ask: (path: string, init: Asked = {}) =>
      fetch(url + path, {
        redirect: "manual",
        ...init,
        headers: { Cookie: cookie, ...init.headers },
        client,
      }),
    /** Opens a connection to the proxy, and sends it a text. */
    async connect(text: string): Promise<Deno.TlsConn> {
      const { port } = site;
      const connection = await Deno.connectTls({ hostname: "localhost", port, caCerts: [ca] });
      await connection.write(new TextEncoder().encode(text));
      return connection;
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}
type Stage = Awaited<ReturnType<typeof newStage>>;

/** Starts a task that prints a line every 100 ms. */
async function startLongTask(project: RealProject): Promise<number> {
  const { repository_id } = await addPlays(project, "- hosts: all\n  tasks: []\n");
  const template = await project.makeTemplate({ repository_id });
  const vars = { callboard_stand_in_lines: 600, callboard_stand_in_sleep_ms: 100 };
  const id = await project.startTask(template, { environment: JSON.stringify(vars) });
  await project.until(id, ["running"]);
  return id;
}

/** Reads until the text contains all of `parts`, and returns the milliseconds that it took. */
async function readUntil(stream: ReadableStream<Uint8Array>, parts: string[]): Promise<number> {
  const mark = performance.now();
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (!parts.every((part) => text.includes(part))) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`It ended: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    return performance.now() - mark;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function checkPages({ ask, url, site, project }: Stage) {
  const page = await ask(`/project/${project.id}/history`);
  assert.equal(page.status, 200);
  const html = await page.text();
  const links = [...html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path);
  assert.ok(links.length > 10);
  for (const path of links) assert.ok(path.startsWith(`${site.base}/`), path);
  const [style] = /[^"]+\.css[^"]*/.exec(html)!;
  const styles = await ask(style.slice(site.base.length));
  assert.equal(styles.status, 200);
  await styles.body?.cancel();
  const signIn = await ask("/", { headers: { Cookie: "" } });
  assert.equal(signIn.status, 303);
  const { pathname } = new URL(signIn.headers.get("location")!, url);
  assert.equal(pathname, `${site.base}/auth/login`);
  const form = new URLSearchParams({ auth: ADMIN.login, password: ADMIN.password });
  const headers = { Cookie: "", Origin: new URL(url).origin };
  const done = await ask("/auth/login", { method: "POST", body: form, headers });
  await done.body?.cancel();
  assert.equal(done.status, 303);
  const session = done.headers.getSetCookie().find((text) => text.includes("HttpOnly"))!;
  assert.match(session, new RegExp(`; Path=${site.base || "/"}(;|$)`, "i"));
  assert.match(session, /; Secure/i);
}

/** Browsers are sent to TLS, where the proxy speaks HTTP/2. */
async function checkProtocols({ site, ca }: Stage, name: ProxyName) {
  const to = { hostname: "localhost", port: site.port, caCerts: [ca], alpnProtocols: ["h2"] };
  using connection = await Deno.connectTls(to);
  assert.equal((await connection.handshake()).alpnProtocol, "h2");
  // Caddy redirects on its own, to the usual port for TLS.
  if (name === "caddy") return;
  const plain = await fetch(`http://127.0.0.1:${site.plainPort}/x`, { redirect: "manual" });
  assert.equal(plain.status, 301);
  assert.match(plain.headers.get("location")!, /^https:\/\/[^/]+\/x$/);
  await plain.body?.cancel();
}

async function checkStreams({ ask, connect, site, project }: Stage, task: number) {
  const events = await ask(`/api/project/${project.id}/tasks/${task}/events`);
  assert.equal(events.headers.get("content-type"), "text/event-stream");
  const ms = await readUntil(events.body!, ["\ndata: "]);
  assert.ok(ms < 1_000, `${ms} ms`);
  const socket = await connect(
    `GET ${site.base}/api/ws HTTP/1.1\r\nHost: localhost:${site.port}\r\n` +
      `Origin: https://localhost:${site.port}\r\nCookie: ${project.server.cookie}\r\n` +
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  await readUntil(socket.readable, ["HTTP/1.1 101 ", '"type":"log"', `"task_id":${task}`]);
  assert.equal((await project.getTask(task)).status, "running");
}

async function checkAddresses({ ask, site }: Stage) {
  const spoofed = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "http",
    "Content-Type": "application/json",
    Cookie: "",
  };
  const body = JSON.stringify({ auth: ADMIN.login, password: ADMIN.password });
  const signIn = await ask("/api/auth/login", { method: "POST", headers: spoofed, body });
  assert.ok(signIn.ok, String(signIn.status));
  const session = signIn.headers.getSetCookie().find((text) => text.includes("HttpOnly"))!;
  assert.match(session, /; Secure/i);
  await signIn.body?.cancel();
  const sessions: { address: string }[] = await (await ask("/api/user/sessions")).json();
  const addresses = new Set(sessions.map(({ address }) => address));
  // The test itself has signed in directly, and a socket has no address.
  if (site.socket) addresses.delete("local");
  assert.deepEqual([...addresses], ["127.0.0.1"]);
}

async function checkLimits({ ask, connect, site }: Stage) {
  const slow = connect(`GET ${site.base}/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: `);
  const mark = performance.now();
  const large = await ask("/api/projects/restore", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: new Uint8Array(BODY_BYTES_MAX + 1),
  });
  assert.equal(large.status, 413);
  await large.body?.cancel();
  const connection = await slow;
  // A proxy may say 408 before it closes the connection.
  await connection.readable.pipeTo(new WritableStream()).catch(() => {});
  const ms = performance.now() - mark;
  assert.ok(ms > 5_000 && ms < HEADER_LIMIT_MS, `${ms} ms`);
}

for (const name of PROXIES) {
  Deno.test(`${name} serves pages, streams and sockets of a server on a unix socket`, async () => {
    await using stage = await newStage(name, "", { onSocket: true });
    await checkPages(stage);
    await checkStreams(stage, await startLongTask(stage.project));
    await checkAddresses(stage);
  });

  Deno.test(`${name} serves pages, streams and sockets at the root`, async () => {
    await using stage = await newStage(name, "");
    await checkProtocols(stage, name);
    await checkPages(stage);
    await checkStreams(stage, await startLongTask(stage.project));
  });

  Deno.test(`${name} serves a sub-path, and holds back strangers and slow clients`, async () => {
    await using stage = await newStage(name, "/callboard");
    await checkPages(stage);
    await checkStreams(stage, await startLongTask(stage.project));
    await checkAddresses(stage);
    await checkLimits(stage);
  });
}
