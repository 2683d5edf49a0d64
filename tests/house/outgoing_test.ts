import assert from "node:assert/strict";
import { readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Ways to other servers, and the files that may use them. Each of these has limits of its own. */
const WAYS: [use: RegExp, places: string[]][] = [
  [/(?<![.\w])fetch\(|\bglobalThis\.fetch\b|createHttpClient/g, [
    "lib/http/exchange.ts",
    // Its own function fetches objects of git.
    "lib/execution/git/fetch.ts",
  ]],
  [/from "node:https?"|from "undici"/g, ["lib/http/socket_request.ts"]],
  [
    /from "node:(?:net|tls|dns|dgram|http2)"|\bDeno\.(?:connect|connectTls|startTls|resolveDns)\b/g,
    [
      "lib/audit/syslog.ts",
      "lib/http/checked_lookup.ts",
      "lib/monitoring/checks/certificate.ts",
      "lib/ldap/connection.ts",
      // These lead to this server.
      "lib/web/server/tls_front.ts",
      "lib/web/server/unix_socket.ts",
    ],
  ],
  [/\bClient\b[^;"]*from "ldapts"|import\("nodemailer"\)/g, [
    "lib/alerts/email/send_mail.ts",
    "lib/ldap/connection.ts",
  ]],
  [/new WebSocket\(|new EventSource\(/g, []],
];

/** Code of servers and runners, without that of browsers. */
const SERVER = /^(?:lib|routes|components|scripts)\/|^main\.ts$/;
const ELSEWHERE = /^lib\/(?:client|fresh)\/|_test\.tsx?$/;

function outgoing(sources: Sources): string[] {
  const found: string[] = [];
  for (const [file, text] of sources) {
    if (ELSEWHERE.test(file)) continue;
    const code = text.replaceAll(/^import type .*$|\btype \w+,? ?|\/\*\*[^]*?\*\/|\/\/.*$/gm, "");
    for (const [use, places] of WAYS) {
      if (!places.includes(file)) {
        found.push(...(code.match(use) ?? []).map((one) => `${file}: ${one}`));
      }
    }
  }
  return found;
}

Deno.test("requests to other servers are sent in one place, and sockets opened in few", async () => {
  assert.deepEqual(outgoing(await readSources(SERVER)), []);
});

Deno.test("each way to other servers is found, but where it belongs", () => {
  const count = (file: string, text: string) => outgoing(new Map([[file, text]])).length;
  const ways = [
    "await fetch(url)",
    "Deno.createHttpClient({})",
    'import http from "node:http";',
    'import { request } from "node:https";',
    'import { connect } from "node:tls";',
    "await Deno.connectTls(address)",
    'import { Client } from "ldapts";',
    "new WebSocket(url)",
  ];
  for (const way of ways) {
    assert.equal(count("lib/tasks/a.ts", way), 1, way);
    assert.equal(count("scripts/serve.ts", way), 1, way);
    assert.equal(count("lib/client/a.ts", way), 0, way);
  }
  assert.equal(count("lib/http/exchange.ts", "await fetch(url)"), 0);
  assert.equal(count("lib/http/exchange.ts", 'import http from "node:http";'), 1);
  for (const fine of ["mirror.fetch(options)", "prefetch(url)", "// as fetch(url) does"]) {
    assert.equal(count("lib/tasks/a.ts", fine), 0, fine);
  }
});
