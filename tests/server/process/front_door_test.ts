import assert from "node:assert/strict";
import { join } from "node:path";
import {
  installStandIn,
  type RealServer,
  startRealServer,
} from "@/tests/support/server/real_server.ts";
import { openRaw, sendRaw } from "@/tests/support/basics/raw_socket.ts";
import { until } from "@/tests/support/basics/until.ts";

/** Time limit for a server on a busy machine. */
const PATIENCE_MS = 30_000;
/** Deno's own answers have none of our headers. Status 0 means that it closed the connection. */
const BY_DENO = [0, 400];

async function newServer(openFilesMax?: number) {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_front_door_" });
  const ansibleDir = await installStandIn(join(dataDir, "stand_in"));
  const server = await startRealServer({ dataDir, ansibleDir, openFilesMax });
  return Object.assign(server, {
    async [Symbol.asyncDispose]() {
      await server.end("SIGKILL");
      await Deno.remove(dataDir, { recursive: true });
    },
  });
}

const get = (path: string, headers = "") =>
  `GET ${path} HTTP/1.1\r\n${/^Host:/im.test(headers) ? "" : "Host: callboard\r\n"}${headers}\r\n`;
const withHost = (host: string) => get("/auth/login", `Host: ${host}\r\n`);

const WEB_SOCKET: Record<string, string> = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");

Deno.test("no Host header that names no host gets further than the front door", async () => {
  await using server = await newServer();
  const wrong = [
    "a b<script>",
    "user:password@callboard",
    "callboard/x?y#z",
    "callboard\\x",
    "callboard:99999",
    "callboard:-1",
    "[::1",
    "a%00b",
    "999.999.999.999",
    "a..b",
    "\xc3\xa4.example",
    "a".repeat(300),
  ];
  for (const host of wrong) {
    const { status, headers } = await sendRaw(server.url, withHost(host));
    assert.equal(status, 400, host);
    assert.equal(headers.get("x-content-type-options"), "nosniff", host);
  }
  for (const host of ["callboard", "callboard.example.:8443", "[::1]:80", "127.0.0.1", "web_1"]) {
    assert.equal((await sendRaw(server.url, withHost(host))).status, 200, host);
  }
  const whole = get("ftp://evil.example/auth/login");
  assert.equal((await sendRaw(server.url, whole)).status, 400, "no address of the web");
  assert.equal((await sendRaw(server.url, "GET / HTTP/1.0\r\n\r\n")).status, 303, "none is fine");
});

Deno.test("a web socket takes a whole handshake, and refuses one with a part missing", async () => {
  await using server = await newServer();
  const open = (headers: Record<string, string>) =>
    sendRaw(server.url, get("/api/ws", linesOf({ ...headers, Cookie: server.cookie })));
  assert.equal((await open(WEB_SOCKET)).status, 101);
  for (const missing of Object.keys(WEB_SOCKET)) {
    const { [missing]: _, ...others } = WEB_SOCKET;
    const expected = missing === "Sec-WebSocket-Version" ? 426 : 400;
    assert.equal((await open(others)).status, expected, missing);
  }
  const wrong: [number, Record<string, string>][] = [
    [426, { "Sec-WebSocket-Version": "8" }],
    [400, { "Sec-WebSocket-Key": "short" }],
    [400, { Upgrade: "h2c" }],
    [403, { Origin: "http://evil.example" }],
    [403, { Origin: "null" }],
  ];
  for (const [status, header] of wrong) {
    const answer = await open({ ...WEB_SOCKET, ...header });
    assert.equal(answer.status, status, JSON.stringify(header));
    if (status === 426) assert.equal(answer.headers.get("sec-websocket-version"), "13");
  }
});

Deno.test("unknown methods are answered with the known ones", async () => {
  await using server = await newServer();
  for (const method of ["TRACE", "TRACK", "FOO", "A".repeat(300)]) {
    for (const path of ["/auth/login", "/api/ping", "/logo.svg", "/no/such/page"]) {
      const request = get(path).replace("GET", method);
      const { status, headers } = await sendRaw(server.url, request);
      assert.equal(status, 405, `${method} ${path}`);
      assert.match(headers.get("allow") ?? "", /GET.*POST/);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
    }
  }
});

/** Mistakes and attacks of people and programs, each in a request that is correct otherwise. */
const ODD_PARTS = [
  "%ff",
  "%zz",
  "%",
  "%00",
  "%E2%80%A8",
  "%ED%A0%80",
  "\xe2\x80\xa8",
  "\xff",
  "..%2f..%2f",
  "%2f%2fevil.example",
  "//evil.example",
  "__proto__",
  "a".repeat(20_000),
];

Deno.test("odd addresses, cookies and headers cause no error of ours", async () => {
  await using server = await newServer();
  const session = (cookie = "") => `Cookie: ${server.cookie}${cookie}\r\n`;
  for (const odd of ODD_PARTS) {
    const requests = [
      ...["/", "/project/", "/project/1/tasks/", "/users/", "/api/project/", "/api/integrations/"]
        .map((path) => get(path + odd, session())),
      ...[
        "/auth/login?next=",
        "/auth/login?next=/",
        "/users?page=",
        "/logo.svg?",
        "/project/new?x=",
      ]
        .map((path) => get(path + odd, session())),
      ...["lang", "theme", "flash", "project", "view", "callboard", "callboard_device", odd]
        .map((name) => get("/auth/login", session(`; ${name}=${odd}`))),
      ...["Authorization: Bearer ", "Accept-Language: ", "Referer: http://x/", "If-None-Match: "]
        .map((header) => get("/api/user", `${header}${odd}\r\n`)),
      ...["X-Forwarded-Host: ", "X-Forwarded-For: ", "X-Forwarded-Proto: ", "Range: ", "Expect: "]
        .map((header) => get("/auth/login", `${header}${odd}\r\n`)),
      ...["Referer: http://x/", "Origin: ", "Content-Type: multipart/form-data; boundary="]
        .map((header) => get("/account", `${header}${odd}\r\nContent-Length: 2\r\n`) + "ab")
        .map((request) => request.replace("GET", "POST")),
    ];
    for (const request of requests) await answered(server, request);
  }
  assert.doesNotMatch(server.output(), /request_failed/);
});

Deno.test("a request that is not one does not make an error of ours, and the server continues", async () => {
  await using server = await newServer();
  const post = (headers: string, body = "") =>
    `POST /api/auth/login HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;
  const requests = [
    post("Content-Length: 2\r\nContent-Length: 3\r\n", "{}x"),
    post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    post("Content-Length: x\r\n"),
    post("Content-Length: -1\r\n"),
    post("Transfer-Encoding: chunked\r\n", "zz\r\n"),
    post("Transfer-Encoding: gzip\r\n"),
    get("/auth/login", `X: ${"a".repeat(700_000)}\r\n`),
    get("/auth/login", "X: a\r\n".repeat(500)),
    get("/auth/login", "Host: a\r\nHost: b\r\n"),
    get("/auth/login", "X: a\r\n b\r\n"),
    get("/auth/login", "X: a\x00b\r\n"),
    get("javascript:alert(1)"),
    get("*"),
    "GET / HTTP/3.0\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "\r\n".repeat(1000),
  ];
  for (const request of requests) {
    const { status } = await sendRaw(server.url, request);
    assert.ok(BY_DENO.includes(status), `${status}: ${request.slice(0, 80)}`);
  }
  assert.equal((await server.api("GET", "/api/user")).status, 200);
  assert.doesNotMatch(server.output(), /request_failed/);
});

/** Requires an answer that is not one of our errors. A redirect must stay on this server. */
async function answered(server: RealServer, request: string): Promise<void> {
  const { status, headers } = await sendRaw(server.url, request);
  const what = `${status}: ${request.slice(0, 200)}`;
  assert.ok(status < 500, what);
  assert.match(headers.get("location") ?? "/", /^\/(?!\/)[\x21-\x7e]*$/, what);
}

Deno.test("more connections than the system has files for do not end the server", async () => {
  await using server = await newServer(300);
  const open: Disposable[] = [];
  for (let n = 0; n < 500; n++) {
    open.push(await openRaw(server.url, "GET / HTTP/1.1\r\nHost: a\r\n").catch(() => NOTHING));
  }
  await until(() => server.output().includes("Too many open files"), PATIENCE_MS);
  for (const one of open) one[Symbol.dispose]();
  const pong = () => sendRaw(server.url, get("/api/ping")).catch(() => null);
  await until(async () => (await pong())?.status === 200, PATIENCE_MS);
});

const NOTHING: Disposable = { [Symbol.dispose]() {} };
