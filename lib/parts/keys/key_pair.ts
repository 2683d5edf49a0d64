import { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import { joined, sshNumber, sshString } from "./ssh_wire.ts";

const TYPE = "ssh-ed25519";
/** Unencrypted files are padded to a multiple of this. */
const BLOCK_BYTES = 8;

/**
 * Creates a private ed25519 key in OpenSSH's format. It is not encrypted, because it is sealed as a
 * whole. It is created in memory, so it is never on a disk or in an argument.
 */
export function newPrivateKey(comment: string): string {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, point] = [d, x].map((part) => Buffer.from(part, "base64url"));
  const publicKey = joined(sshString(TYPE), sshString(point));
  const check = crypto.getRandomValues(new Uint8Array(4));
  const secrets = joined(
    check,
    check,
    sshString(TYPE),
    sshString(point),
    sshString(joined(seed, point)),
    sshString(comment),
  );
  const padding = Array.from({ length: -secrets.length & (BLOCK_BYTES - 1) }, (_, n) => n + 1);
  const file = joined(
    new TextEncoder().encode("openssh-key-v1\0"),
    sshString("none"),
    sshString("none"),
    sshString(""),
    sshNumber(1),
    sshString(publicKey),
    sshString(joined(secrets, Uint8Array.from(padding))),
  );
  const lines = Buffer.from(file).toString("base64").match(/.{1,70}/g)!;
  const label = "OPENSSH PRIVATE KEY";
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
