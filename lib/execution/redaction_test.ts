import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as fc from "@/tests/packages/fast_check.ts";
import { indexSecrets, MASK, redactor } from "./redaction.ts";

function redact(secrets: string[], ...reads: string[]): string {
  const { write, end } = redactor(indexSecrets(secrets));
  return reads.map(write).join("") + end();
}

const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACDk3Zsz8cNuBXyR0jTqk7Vb5ZtTnS0hGhYv3WcO0gq2YwAAAJhzkQqcc5EK
AAAAC3NzaC1lZDI1NTE5AAAAIOTdmzPxw24FfJHSNOqTtVvlm1OdLSEaFi/dZw7SCrZj
-----END OPENSSH PRIVATE KEY-----
`;

Deno.test("a secret is masked, and nothing else", () => {
  assert.equal(redact(["hunter22"], "it is hunter22, yes\n"), "it is ***, yes\n");
  assert.equal(redact([], "it is hunter22"), "it is hunter22");
});

Deno.test("a secret may be cut by two reads, or by many", () => {
  assert.equal(redact(["hunter22"], "it is hun", "ter22!"), "it is ***!");
  assert.equal(redact(["hunter22"], ..."it is hunter22!"), "it is ***!");
});

Deno.test("a line that ends is passed on at once", () => {
  const { write } = redactor(indexSecrets(["hunter22", KEY]));
  assert.equal(write("TASK [ping] ****\n"), "TASK [ping] ****\n");
  assert.equal(write("ok: [hunt"), "ok: [");
  assert.equal(write("ing]\n"), "hunting]\n");
});

Deno.test("secrets that overlap are masked together", () => {
  assert.equal(redact(["abcdef", "defghi"], "<abcdefghi>"), "<***>");
  assert.equal(redact(["abcd", "abcdefgh"], "<abcdefgh> <abcdef>"), "<***> <***ef>");
  assert.equal(redact(["abab"], "<", "ababababab", "abab>"), "<***>");
});

Deno.test("a secret shorter than four characters is not masked", () => {
  assert.equal(redact(["abc"], "abc abcd"), "abc abcd");
});

Deno.test("a word that every output is full of is not masked", () => {
  const text = '{"changed": true, "failed": false, "rc": null} True None';
  assert.equal(redact(["true", "False", "null", "none"], text), text);
  assert.equal(redact(["true love"], "true love"), "***");
});

Deno.test("a private key is masked as a whole, and each of its lines", () => {
  assert.equal(redact([KEY], `key:\n${KEY}end`), "key:\n***\nend");
  for (const line of KEY.trim().split("\n")) {
    assert.equal(redact([KEY], `\x1b[0;32m  ${line}\x1b[0m\r\n`), "\x1b[0;32m  ***\x1b[0m\r\n");
  }
});

Deno.test("what encoders make of a secret is masked too", () => {
  const secret = `pa'ss "wörd"/${"x".repeat(60)}\nsecond line`;
  const forms = [
    JSON.stringify({ secret }),
    JSON.stringify(JSON.stringify({ secret })),
    `https://login:${encodeURIComponent(secret)}@host`,
    `a=${new URLSearchParams({ secret })}`,
    `'${secret.replaceAll("'", `'"'"'`)}'`,
  ];
  for (const form of forms) {
    const masked = redact([secret], form);
    assert.ok(masked.includes(MASK), form);
    assert.doesNotMatch(masked, /second|rd"|%20|xxxxx/, form);
  }
});

Deno.test("base64 of a secret is masked wherever it begins, also with broken lines", () => {
  for (const before of ["", "u", "us", "use", "user:", "login:"]) {
    const basic = Buffer.from(`${before}correct horse battery:`).toString("base64");
    const masked = redact(["correct horse battery"], `Authorization: Basic ${basic}`);
    const left = masked.split("Basic ")[1]!.replaceAll(MASK, "");
    assert.doesNotMatch(Buffer.from(left, "base64").toString("latin1"), /orrect|battery|horse/);
    assert.ok(left.length <= before.length * 2 + 6, left);
  }
  const wrapped = Buffer.from(KEY).toString("base64").replace(/.{76}/g, "$&\n");
  assert.ok(redact([KEY], wrapped).replace(/[*\n]/g, "").length < 8);
});

// Few letters, so that secrets repeat, overlap and begin like each other.
const letters = (length: { minLength: number; maxLength: number }) =>
  fc.array(fc.constantFrom("a", "b", "\n"), length).map((units) => units.join(""));
const secrets = fc.array(letters({ minLength: 4, maxLength: 8 }), { minLength: 1, maxLength: 4 });
const reads = fc.array(letters({ minLength: 0, maxLength: 12 }), { maxLength: 12 });

Deno.test("no secret comes through, however the output is cut", () => {
  fc.assert(
    fc.property(secrets, reads, fc.nat(11), (secrets, reads, at) => {
      const cut = [...reads.slice(0, at), secrets[0]!.slice(0, 2), secrets[0]!.slice(2), "a"];
      const masked = redact(secrets, ...cut);
      for (const secret of secrets.filter((secret) => secret.trim().length >= 4)) {
        assert.ok(!masked.includes(secret));
      }
    }),
    { numRuns: 2000 },
  );
});

Deno.test("where the output is cut makes no difference", () => {
  fc.assert(
    fc.property(secrets, reads, (secrets, reads) => {
      assert.equal(redact(secrets, ...reads), redact(secrets, reads.join("")));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("20 secrets cost less than a fifth of a core at 50,000 lines a second", () => {
  const many = [KEY, ...Array.from({ length: 19 }, (_, i) => `secret number ${i} of many`)];
  const line =
    "ok: [web-17.example.org] => (item=some package) and quite a few words more of it all";
  const read = `${line}\n`.repeat(700);
  const { write } = redactor(indexSecrets(many));
  for (let i = 0; i < 20; i++) write(read);
  const startedAt = performance.now();
  for (let i = 0; i < 72; i++) write(read);
  const tookMs = performance.now() - startedAt;
  // Five times what it should take, for a machine that does other things as well.
  assert.ok(tookMs < 1000, `${tookMs} ms for 50,400 lines`);
});
