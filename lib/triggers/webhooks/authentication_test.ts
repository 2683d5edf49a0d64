import assert from "node:assert/strict";
import { isAuthentic } from "./incoming.ts";

const encoder = new TextEncoder();
const call = (headers: Record<string, string>, body = "{}") => ({
  headers: new Headers(headers),
  body: encoder.encode(body),
});

// Test values from GitHub's documentation of webhook signatures.
const SECRET = "It's a Secret to Everybody";
const BODY = "Hello, World!";
const SIGNATURE = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

Deno.test("without a method anyone may call", () => {
  assert.ok(isAuthentic({ auth_method: "", auth_header: "" }, null, call({})));
});

Deno.test("github: the signature of the body as it was sent", () => {
  const github = { auth_method: "github", auth_header: "" } as const;
  const signed = (value: string, body = BODY) => call({ "X-Hub-Signature-256": value }, body);
  assert.ok(isAuthentic(github, SECRET, signed(`sha256=${SIGNATURE}`)));
  assert.ok(!isAuthentic(github, SECRET, signed(SIGNATURE)));
  assert.ok(!isAuthentic(github, SECRET, signed(`sha256=${SIGNATURE}`, BODY + "\n")));
  assert.ok(!isAuthentic(github, "another", signed(`sha256=${SIGNATURE}`)));
  assert.ok(!isAuthentic(github, SECRET, signed(`sha256=${SIGNATURE.slice(2)}`)));
  assert.ok(!isAuthentic(github, SECRET, signed("sha256=")));
  assert.ok(!isAuthentic(github, SECRET, call({}, BODY)));
});

Deno.test("hmac: the same in a custom header, with or without the prefix", () => {
  const hmac = { auth_method: "hmac", auth_header: "X-Sign" } as const;
  assert.ok(isAuthentic(hmac, SECRET, call({ "x-sign": SIGNATURE }, BODY)));
  assert.ok(isAuthentic(hmac, SECRET, call({ "x-sign": SIGNATURE.toUpperCase() }, BODY)));
  assert.ok(isAuthentic(hmac, SECRET, call({ "x-sign": `sha256=${SIGNATURE}` }, BODY)));
  assert.ok(!isAuthentic(hmac, SECRET, call({ "x-sign": SIGNATURE }, BODY + "x")));
  assert.ok(!isAuthentic(hmac, SECRET, call({ "x-sign": SIGNATURE.replace("7", "8") }, BODY)));
  assert.ok(!isAuthentic(hmac, SECRET, call({ "x-other": SIGNATURE }, BODY)));
});

Deno.test("token: exactly the secret", () => {
  const token = { auth_method: "token", auth_header: "X-Token" } as const;
  assert.ok(isAuthentic(token, "s3cret", call({ "X-Token": "s3cret" })));
  const asBytes = String.fromCharCode(...encoder.encode("pässword"));
  assert.ok(isAuthentic(token, "pässword", call({ "X-Token": asBytes })));
  for (const wrong of ["S3cret", "s3cre", "s3crets", "Bearer s3cret", ""]) {
    assert.ok(!isAuthentic(token, "s3cret", call({ "X-Token": wrong })), wrong);
  }
});

Deno.test("a missing secret or header name refuses every call", () => {
  const empty = "0".repeat(64);
  for (const auth_method of ["github", "token", "hmac"] as const) {
    for (const secret of [null, ""]) {
      const headers = { "X-Hub-Signature-256": `sha256=${empty}`, "X-Sign": "" };
      assert.ok(!isAuthentic({ auth_method, auth_header: "X-Sign" }, secret, call(headers)));
    }
  }
  const nameless = { auth_method: "token", auth_header: "" } as const;
  assert.ok(!isAuthentic(nameless, "s3cret", call({ "X-Token": "s3cret" })));
});
