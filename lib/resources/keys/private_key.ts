/** A problem with a private key: the affected member of `ssh`, and a locale key. */
interface KeyProblem {
  field: "private_key" | "passphrase";
  key: string;
}

const OPENSSH_MAGIC = "openssh-key-v1\0";

/**
 * Finds common mistakes in a pasted private key that can be seen without decrypting it. A wrong
 * passphrase is found only when a task uses the key.
 */
export function privateKeyProblem(privateKey: string, passphrase: string): KeyProblem | null {
  const text = privateKey.trim();
  if (text.startsWith("PuTTY-User-Key-File")) {
    return { field: "private_key", key: "errors.keys.putty_key" };
  }
  if (/^(ssh-|ecdsa-|sk-)[\w@.-]+ AAAA|^-{4,5} ?BEGIN [\w ]*PUBLIC KEY/.test(text)) {
    return { field: "private_key", key: "errors.keys.public_key" };
  }
  const begin = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----/.exec(text);
  if (!begin) return null;
  const end = text.indexOf(`-----END ${begin[1]}-----`);
  if (end < 0) return { field: "private_key", key: "errors.keys.cut_off" };
  const body = text.slice(begin.index + begin[0].length, end);
  if (passphrase === "" && isEncrypted(begin[1], body)) {
    return { field: "passphrase", key: "errors.keys.passphrase_needed" };
  }
  return null;
}

function isEncrypted(label: string, body: string): boolean {
  if (label === "ENCRYPTED PRIVATE KEY") return true;
  if (label !== "OPENSSH PRIVATE KEY") return /^Proc-Type: 4,ENCRYPTED$/m.test(body);
  const bytes = decodeBase64(body);
  if (!bytes.startsWith(OPENSSH_MAGIC)) return false;
  // The length of the cipher's name in four bytes, then the name.
  return !bytes.startsWith("\0\0\0\x04none", OPENSSH_MAGIC.length);
}

/** Decodes base64 to characters. Returns an empty text for other input. */
function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
