import assert from "node:assert/strict";
import { curlLine } from "@/components/integrations/curl_line.ts";
import { AUTH_METHODS } from "@/lib/triggers/integrations/schema.ts";

const URL_TEXT = "https://board.example/api/integrations/abc";

/** Runs a line of the shell with a `curl` that prints its arguments. Returns them. */
async function argumentsOf(line: string): Promise<string[]> {
  const script = `curl() { printf '%s\\n' "$@"; }\n${line}`;
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", script],
    env: { LOGIN: "ann", PASSWORD: "pass word", TOKEN: "t o", SECRET: "s3cret" },
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}

/** Arguments that prove who calls; null for a signature, which needs OpenSSL. */
const PROOFS: Record<string, string[] | null> = {
  "": [],
  none: [],
  basic: ["-u", "ann:pass word"],
  token: ["-H", "X-It's: t o"],
};

for (const auth_method of AUTH_METHODS) {
  Deno.test(`the line that calls an address with "${auth_method}" is one for the shell`, async () => {
    const line = curlLine(URL_TEXT, { auth_method, auth_header: "X-It's" });
    assert.ok(line.endsWith(` '${URL_TEXT}'`));
    const proof = PROOFS[auth_method];
    if (!proof) return assert.match(line, /openssl dgst -sha(256|512) -hmac "\$SECRET"/);
    const body = ["-H", "Content-Type: application/json", "-d", "{}", URL_TEXT];
    assert.deepEqual(await argumentsOf(line), [...proof, ...body]);
  });
}

Deno.test("the header and the hash of a signature are those of the method", () => {
  const header = (auth_method: (typeof AUTH_METHODS)[number]) =>
    /-H '([^']*)'/.exec(curlLine(URL_TEXT, { auth_method, auth_header: "X-Own" }))![1];
  assert.deepEqual(
    ([...["github", "bitbucket", "hmac", "hmac-sha512"]] as const).map((method) =>
      header(method as (typeof AUTH_METHODS)[number])
    ),
    [
      "X-Hub-Signature-256: sha256=",
      "X-Hub-Signature: sha256=",
      "X-Own: sha256=",
      "X-Own: sha512=",
    ],
  );
});
