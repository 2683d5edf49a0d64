import assert from "node:assert/strict";
import { join } from "node:path";
import { newPrivateKey, publicKeyOf } from "./key_pair.ts";

async function run(command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** The public half that `ssh-keygen` reports, without the comment. */
async function publicByOpenSsh(file: string, passphrase = ""): Promise<string> {
  const line = await run("ssh-keygen", "-y", "-P", passphrase, "-f", file);
  return line.split(" ").slice(0, 2).join(" ");
}

Deno.test("OpenSSH accepts a new key pair, with the same public half and comment", async () => {
  const directory = await Deno.makeTempDir();
  try {
    for (const comment of ["", "Web-shop/Deploy", "x".repeat(401), "é"]) {
      const privateKey = newPrivateKey(comment);
      const file = join(directory, "key");
      await Deno.writeTextFile(file, privateKey, { mode: 0o600 });
      const line = await run("ssh-keygen", "-y", "-f", file);
      assert.equal(line, `${publicKeyOf(privateKey)} ${comment}`.trim());
      assert.match(line, /^ssh-ed25519 AAAA/);
      await Deno.remove(file);
    }
    assert.notEqual(newPrivateKey(""), newPrivateKey(""));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("the public half of a pasted key is the one that OpenSSH reports", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const kinds = [
      ["-t", "ed25519"],
      ["-t", "rsa", "-b", "2048"],
      ["-t", "ecdsa", "-b", "384"],
      ["-t", "rsa", "-b", "2048", "-m", "PEM"],
      ["-t", "ecdsa", "-b", "256", "-m", "PEM"],
      ["-t", "ecdsa", "-b", "521", "-m", "PKCS8"],
    ];
    for (const [n, kind] of kinds.entries()) {
      for (const passphrase of ["", "open sesame"]) {
        const file = join(directory, `${n}${passphrase}`);
        await run("ssh-keygen", "-q", ...kind, "-N", passphrase, "-f", file);
        const told = publicKeyOf(await Deno.readTextFile(file));
        const expected = await publicByOpenSsh(file, passphrase);
        // Without the passphrase, only files in OpenSSH's own format reveal it.
        const isHidden = passphrase !== "" && kind.includes("-m");
        assert.equal(told, isHidden ? null : expected, kind.join(" "));
      }
    }
    const file = join(directory, "pkcs8");
    await run("openssl", "genpkey", "-algorithm", "ed25519", "-out", file);
    assert.match(publicKeyOf(await Deno.readTextFile(file)) ?? "", /^ssh-ed25519 AAAA.{64}$/);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a text that is not a private key has no public half", () => {
  const openssh = (bytes: string) =>
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${btoa(bytes)}\n-----END OPENSSH PRIVATE KEY-----`;
  const begin = "openssh-key-v1\0";
  const string = (text: string) => `\0\0\0${String.fromCharCode(text.length)}${text}`;
  for (
    const text of [
      "",
      "b3Bl",
      openssh(""),
      openssh("something else"),
      openssh(begin),
      openssh(`${begin}\xff\xff\xff\xffnone`),
      openssh(`${begin}${string("none")}${string("none")}${string("")}\0\0\0\x02${string("")}`),
      openssh(
        `${begin}${string("none")}${string("none")}${string("")}\0\0\0\x01${
          string(string("a\nb"))
        }`,
      ),
      "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
    ]
  ) {
    assert.equal(publicKeyOf(text), null, text);
  }
});
