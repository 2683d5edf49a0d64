import assert from "node:assert/strict";
import { SECRETS, writtenForms } from "@/tests/support/basics/secret_corpus.ts";
import { Buffer } from "node:buffer";
import * as fc from "@/tests/packages/fast_check.ts";
import { automatonOf } from "./automaton.ts";
import { indexSecrets, MASK, redactor } from "./redaction.ts";
import { FORMS_LENGTH_MAX, secretForms } from "./secret_forms.ts";

function redact(secrets: string[], ...reads: string[]): string {
  const { write, end } = redactor(indexSecrets(secrets));
  return reads.map(write).join("") + end();
}

const KEY_LINES = `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACDk3Zsz8cNuBXyR0jTqk7Vb5ZtTnS0hGhYv3WcO0gq2YwAAAJhzkQqcc5EK
AAAAC3NzaC1lZDI1NTE5AAAAIOTdmzPxw24FfJHSNOqTtVvlm1OdLSEaFi/dZw7SCrZj`;
/** Assembled here, so that the repository contains no secret, and nothing that looks like one. */
const KEY = `-----BEGIN OPENSSH PRIVATE KEY-----
${KEY_LINES}
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

Deno.test("a line that ends is passed on immediately", () => {
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

Deno.test("encoded forms of a secret are masked too", () => {
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

// Uses few letters, so that texts repeat and overlap each other, and begin alike.
const letters = (length: { minLength: number; maxLength: number }) =>
  fc.array(fc.constantFrom("a", "b", "\n"), length).map((units) => units.join(""));
const texts = fc.array(letters({ minLength: 3, maxLength: 8 }), { minLength: 1, maxLength: 4 });
const reads = fc.array(letters({ minLength: 0, maxLength: 12 }), { maxLength: 12 });

/** Masks with a simple method that looks for all positions of all texts. */
function maskedSlowly(texts: string[], output: string): string {
  const spans = texts.flatMap((text) =>
    Array.from(output, (_, at) => ({ from: at, to: at + text.length, text }))
      .filter(({ from, text }) => output.startsWith(text, from))
  ).toSorted((a, b) => a.from - b.from);
  let [masked, end] = ["", 0];
  for (const { from, to } of spans) {
    if (from >= end) masked += output.slice(end, from) + MASK;
    end = Math.max(end, to);
  }
  return masked + output.slice(end);
}

Deno.test("every place of every text is masked and nothing else, however the output is cut", () => {
  fc.assert(
    fc.property(texts, reads, fc.nat(11), (texts, reads, at) => {
      const cut = [...reads.slice(0, at), texts[0].slice(0, 2), texts[0].slice(2), "a"];
      const { write, end } = redactor(automatonOf(texts));
      const masked = cut.map(write).join("") + end();
      assert.equal(masked, maskedSlowly(texts, cut.join("")));
    }),
    { numRuns: 5000 },
  );
});

Deno.test("forms of a secret that two encoders make in sequence are masked, however they are cut", () => {
  for (const secret of SECRETS) {
    const index = indexSecrets([secret]);
    for (const form of writtenForms(secret)) {
      const { write, end } = redactor(index);
      const at = form.length * 7 % 6;
      const cut = ["<", form.slice(0, at), form.slice(at, at + 9), form.slice(at + 9), ">"];
      assert.equal(cut.map(write).join("") + end(), `<${MASK}>`, form);
    }
  }
});

Deno.test("forms of a secret that Python's libraries make in two steps are masked", async () => {
  for (const secret of SECRETS) {
    const index = indexSecrets([secret]);
    for (const { how, text } of await writtenByPython(secret)) {
      const { write, end } = redactor(index);
      const left = (write(text) + end()).replaceAll(MASK, "");
      // Encodings of bits mix the secret's ends with the text around it.
      assert.ok(left.length < 30, `${how}: ${text} leaves ${left}`);
    }
  }
});

/** Returns a secret between other words, written by each pair of Python's encoders. */
async function writtenByPython(secret: string): Promise<{ how: string; text: string }[]> {
  const { success, stdout } = await new Deno.Command("python3", {
    args: ["-c", PYTHON_ENCODERS, secret],
    stderr: "inherit",
  }).output();
  assert.ok(success);
  return JSON.parse(new TextDecoder().decode(stdout));
}

const PYTHON_ENCODERS = `
import base64, html, json, shlex, sys, urllib.parse
def of_bytes(encode): return lambda text: encode(text.encode()).decode()
encoders = {
  "json": json.dumps, "json utf-8": lambda text: json.dumps(text, ensure_ascii=False),
  "quote": urllib.parse.quote, "quote all": lambda text: urllib.parse.quote(text, safe=""),
  "quote plus": urllib.parse.quote_plus, "html": html.escape,
  "html ascii": lambda text: "".join(f"&#{ord(c)};" for c in text),
  "repr": repr, "ascii": ascii, "bytes": lambda text: repr(text.encode()), "shell": shlex.quote,
  "base64": of_bytes(base64.b64encode), "base64 url": of_bytes(base64.urlsafe_b64encode),
  "base32": of_bytes(base64.b32encode), "hex": lambda text: text.encode().hex(),
  "hex pairs": lambda text: text.encode().hex(":"), "hex upper": of_bytes(base64.b16encode),
}
print(json.dumps([
  {"how": f"{outer} of {inner}", "text": encoders[outer]("<" + encoders[inner](sys.argv[1]) + ">")}
  for outer in encoders for inner in encoders
]))
`;

Deno.test("JSON in JSON is masked, as deep as programs nest it", () => {
  for (const secret of SECRETS) {
    let text = secret;
    for (let depth = 1; depth <= 5; depth++) {
      text = JSON.stringify({ secret: text });
      assert.doesNotMatch(redact([secret], text), /swordfish|HOME/, `depth ${depth}`);
    }
  }
});

Deno.test("a passphrase that YAML breaks at a blank is masked on both lines", () => {
  const passphrase = "correct horse battery staple";
  assert.equal(
    redact([passphrase], "key: correct horse\n  battery staple\n"),
    `key: ${MASK}\n  ${MASK}\n`,
  );
});

Deno.test("encodings of a short secret make no holes in other words", () => {
  const log = "TASK [deploy : copy 0x61626364 files] changed=12 aGVsbG8gd29ybGQ= MFRGG&#x2F;%61";
  assert.equal(redact(["abce", "1234", "root"], log), log);
});

Deno.test("the number of forms is limited, and every secret is among them", () => {
  const long = Array.from({ length: 20 }, (_, n) => `${n}`.repeat(16_000).slice(0, 16_000));
  const short = ["hunter22", KEY];
  const forms = secretForms([...long, ...short]);
  const length = [...forms].reduce((sum, form) => sum + form.length, 0);
  assert.ok(length < FORMS_LENGTH_MAX + 21 * 16_000);
  for (const secret of [...long, ...short]) assert.ok(forms.has(secret.trim()));
  for (const text of ["hunter22", KEY]) {
    assert.equal(redact([...long, ...short], `<${btoa(text.trim())}>`), `<${MASK}>`);
  }
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
  // Five times the expected time, since the machine may be busy.
  assert.ok(tookMs < 1000, `${tookMs} ms for 50,400 lines`);
});
