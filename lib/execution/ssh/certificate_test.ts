import assert from "node:assert/strict";
import { join } from "node:path";
import { CERTIFICATE_MAX, parseCertificate, validityProblem } from "./certificate.ts";

async function run(...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("ssh-keygen", { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Signs a new key of a kind with a new authority, and returns the lines of both. */
async function certify(directory: string, kind: string[], options: string[]) {
  const name = crypto.randomUUID();
  const [authority, key] = ["ca", "key"].map((part) => join(directory, `${name}-${part}`));
  await run("-q", "-t", "ed25519", "-N", "", "-f", authority);
  await run("-q", ...kind, "-N", "", "-C", "a comment", "-f", key);
  await run("-q", "-s", authority, ...options, `${key}.pub`);
  const read = async (file: string) => (await Deno.readTextFile(file)).trim();
  return { line: await read(`${key}-cert.pub`), publicKey: await read(`${key}.pub`) };
}

Deno.test("certificates of all kinds of keys are read as ssh-keygen wrote them", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const kinds = [
      ["-t", "ed25519"],
      ["-t", "rsa", "-b", "2048"],
      ["-t", "ecdsa", "-b", "256"],
      ["-t", "ecdsa", "-b", "384"],
      ["-t", "ecdsa", "-b", "521"],
    ];
    const options = [
      "-I",
      "deploy é",
      "-n",
      "root,web",
      "-z",
      "7",
      "-V",
      "20260102030405Z:20270102030405Z",
    ];
    for (const kind of kinds) {
      const { line, publicKey } = await certify(directory, kind, options);
      assert.deepEqual(parseCertificate(line), {
        kind: "user",
        publicKey: publicKey.split(" ").slice(0, 2).join(" "),
        keyId: "deploy é",
        principals: ["root", "web"],
        validFrom: Date.UTC(2026, 0, 2, 3, 4, 5),
        validUntil: Date.UTC(2027, 0, 2, 3, 4, 5),
      });
    }
    const { line } = await certify(directory, kinds[0], ["-h", "-I", "web"]);
    const host = parseCertificate(line)!;
    assert.deepEqual([host.kind, host.principals], ["host", []]);
    assert.deepEqual([host.validFrom, host.validUntil], [0, null]);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a text that is not a whole certificate is none, at whatever byte it ends", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const { line, publicKey } = await certify(directory, ["-t", "ed25519"], ["-I", "x"]);
    const [type, body] = line.split(" ");
    const bytes = Uint8Array.fromBase64(body);
    for (let length = 0; length < bytes.length; length++) {
      assert.equal(parseCertificate(`${type} ${bytes.subarray(0, length).toBase64()}`), null);
    }
    const others = [
      "",
      publicKey,
      type,
      `${type} !!!!`,
      `${type} ${new Uint8Array([...bytes, 0]).toBase64()}`,
      `ssh-rsa-cert-v01@openssh.com ${body}`,
      `constructor ${body}`,
      `${line} ${"x".repeat(CERTIFICATE_MAX)}`,
    ];
    for (const text of others) assert.equal(parseCertificate(text), null, text);
    assert.notEqual(parseCertificate(`${type} ${body}`), null);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a certificate admits from its first to before its last second", () => {
  const valid = { validFrom: 1_000, validUntil: 3_000 } as Parameters<typeof validityProblem>[0];
  assert.deepEqual(validityProblem(valid, 999), { key: "certificate_early", at: 1_000 });
  assert.equal(validityProblem(valid, 1_000), null);
  assert.equal(validityProblem(valid, 2_999), null);
  assert.deepEqual(validityProblem(valid, 3_000), { key: "certificate_expired", at: 3_000 });
  assert.equal(validityProblem({ ...valid, validUntil: null }, 1e15), null);
});
