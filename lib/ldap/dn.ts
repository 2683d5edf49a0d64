import { Buffer } from "node:buffer";

/**
 * Returns the first name of a DN without its escapes: "A, B" for "cn=A\, B,ou=groups,dc=example".
 */
export function commonName(dn: string): string {
  const name = /^[^=,]+=((?:\\.|[^,\\+])*)/.exec(dn)?.[1];
  return name === undefined ? dn : unescaped(name);
}

/**
 * Removes the escapes of RFC 4514, 2.4 from a value: a backslash before a character, or bytes in
 * hex.
 */
const unescaped = (value: string): string =>
  value.replaceAll(
    /((?:\\[\da-f]{2})+)|\\(.)/gi,
    (_, bytes?: string, sign?: string) =>
      sign ?? Buffer.from(bytes!.replaceAll("\\", ""), "hex").toString(),
  );
