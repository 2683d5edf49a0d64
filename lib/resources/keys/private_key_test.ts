import assert from "node:assert/strict";
import { privateKeyProblem } from "./private_key.ts";

const openssh = (cipher: string) => {
  const name = String.fromCharCode(0, 0, 0, cipher.length) + cipher;
  const body = btoa(`openssh-key-v1\0${name}\0\0\0\x06bcrypt`);
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
};
const pem = (label: string, body: string) =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----`;

Deno.test("a private key without a passphrase is accepted", () => {
  assert.equal(privateKeyProblem(openssh("none"), ""), null);
  assert.equal(privateKeyProblem(pem("RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA"), ""), null);
});

Deno.test("an encrypted private key needs a passphrase", () => {
  const encrypted = [
    openssh("aes256-ctr"),
    pem("ENCRYPTED PRIVATE KEY", "MIIFHDBOBgkqhkiG"),
    pem("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA"),
  ];
  for (const key of encrypted) {
    assert.deepEqual(privateKeyProblem(key, ""), {
      field: "passphrase",
      key: "errors.keys.passphrase_needed",
    });
    assert.equal(privateKeyProblem(key, "swordfish"), null);
  }
});

Deno.test("texts pasted by mistake get different errors", () => {
  const problemOf = (text: string) => privateKeyProblem(text, "")?.key;
  assert.equal(problemOf("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@home"), "errors.keys.public_key");
  assert.equal(problemOf(pem("PUBLIC KEY", "MIIBIjAN")), "errors.keys.public_key");
  assert.equal(problemOf("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA"), "errors.keys.public_key");
  assert.equal(problemOf("PuTTY-User-Key-File-3: ssh-ed25519\n"), "errors.keys.putty_key");
  assert.equal(problemOf(openssh("none").split("-----END")[0]), "errors.keys.cut_off");
});
