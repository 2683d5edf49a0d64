import { inflateRawSync } from "node:zlib";

/**
 * Returns all texts in a stored value, at any depth: names, strings, numbers, and bytes. Bytes that
 * are compressed are decompressed, too.
 */
export function textsIn(value: unknown): string {
  const texts: string[] = [];
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (part instanceof Uint8Array) texts.push(decoder.decode(part), inflated(part));
    else if (typeof part === "object" && part !== null) left.push(...Object.entries(part).flat());
    else texts.push(String(part));
  }
  return texts.join(" ");
}

const decoder = new TextDecoder();

function inflated(bytes: Uint8Array): string {
  try {
    return decoder.decode(inflateRawSync(bytes));
  } catch {
    return "";
  }
}
