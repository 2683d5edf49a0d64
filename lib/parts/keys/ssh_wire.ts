/** Bytes with their length in front, SSH's format of texts and numbers (RFC 4251, section 5). */
export function sshString(value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return joined(sshNumber(bytes.length), bytes);
}

/** A positive number of any size from its bytes, most significant first. */
export function sshInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? new Uint8Array() : bytes.subarray(first);
  // The highest bit would make it negative.
  return sshString(digits[0] >= 0x80 ? joined(new Uint8Array(1), digits) : digits);
}

export function sshNumber(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

export function joined(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * Reads numbers and strings from `bytes`, starting at `at`. Returns null if the bytes end too
 * early.
 */
export function sshReader(bytes: Uint8Array, at = 0) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (): number | null => {
    at += 4;
    return at <= bytes.length ? view.getUint32(at - 4) : null;
  };
  return {
    number,
    string(): Uint8Array | null {
      const length = number();
      if (length === null || at + length > bytes.length) return null;
      at += length;
      return bytes.subarray(at - length, at);
    },
  };
}
