import { Buffer } from "node:buffer";

/** The name in front of a DN, without its escapes: "A, B" of "cn=A\, B,ou=groups,dc=example". */
export function commonName(dn: string): string {
  const name = /^[^=,]+=((?:\\.|[^,\\+])*)/.exec(dn)?.[1];
  return name === undefined ? dn : unescaped(name);
}

/** A value of a DN as it was before RFC 4514, 2.4: signs after a backslash, or bytes in hex. */
const unescaped = (value: string): string =>
  value.replaceAll(
    /((?:\\[\da-f]{2})+)|\\(.)/gi,
    (_, bytes?: string, sign?: string) =>
      sign ?? Buffer.from(bytes!.replaceAll("\\", ""), "hex").toString(),
  );
