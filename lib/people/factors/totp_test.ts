import assert from "node:assert/strict";
import { matchTotp, newTotpSecret, readableSecret, totpAt, totpUri } from "./totp.ts";

const RFC_SECRET = new TextEncoder().encode("12345678901234567890");

Deno.test("codes are those of RFC 6238, cut to six digits", () => {
  const vectors: [seconds: number, code: string][] = [
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ];
  for (const [seconds, code] of vectors) {
    assert.equal(totpAt(RFC_SECRET, new Date(seconds * 1000)), code.slice(-6));
  }
});

Deno.test("a code counts once, in its half minute or an adjacent one", () => {
  const now = new Date("2024-05-02T10:11:12Z");
  const match = (steps: number, lastStep = -1) =>
    matchTotp(RFC_SECRET, totpAt(RFC_SECRET, now, steps), now, lastStep);
  const [before, current, after] = [-1, 0, 1].map((steps) => match(steps)!);
  assert.deepEqual([before + 1, after - 1], [current, current]);
  assert.deepEqual([match(-2), match(2)], [null, null]);
  assert.deepEqual([match(0, current), match(-1, current), match(1, current)], [null, null, after]);
  const code = totpAt(RFC_SECRET, now);
  assert.equal(matchTotp(RFC_SECRET, ` ${code.slice(0, 3)} ${code.slice(3)}`, now, -1), current);
  for (const odd of ["", code.slice(1), `${code}0`, "abcdef", "١٢٣٤٥٦"]) {
    assert.equal(matchTotp(RFC_SECRET, odd, now, -1), null);
  }
});

Deno.test("the URI contains all that an app needs, and people can type the secret", () => {
  const uri = new URL(totpUri(RFC_SECRET, "Callboard", "ann@example.com"));
  assert.equal(uri.href.split("?")[0], "otpauth://totp/Callboard:ann%40example.com");
  assert.equal(uri.searchParams.get("secret"), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  assert.equal(uri.searchParams.get("issuer"), "Callboard");
  assert.equal(readableSecret(RFC_SECRET), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
  assert.equal(newTotpSecret().length, 20);
  assert.notDeepEqual(newTotpSecret(), newTotpSecret());
});
