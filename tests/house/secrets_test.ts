import assert from "node:assert/strict";
import { join } from "node:path";
import { creator, lintSource } from "@/tests/packages/secretlint.ts";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

/** In tests, "me" has passwords in addresses. */
const MADE_UP = [
  { id: "@secretlint/secretlint-rule-basicauth", options: { allows: ["/:\\/\\/me:\\w+@/"] } },
];

/** Returns descriptions of texts in a file that look like a real secret, without the secret. */
async function findSecrets(filePath: string, content: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { filePath, content, contentType: "text", ext: "" },
    options: {
      config: { rules: [{ id: PRESET, rule: creator, rules: MADE_UP }] },
      maskSecrets: true,
    },
  });
  return messages.map(({ loc, message }) => `${filePath}:${loc.start.line} ${message}`);
}

Deno.test("nothing in the tree looks like someone's secret", async () => {
  const found: string[] = [];
  let files = 0;
  for await (const file of walk(ROOT, /(?<!\.png)$/)) {
    files++;
    found.push(...await findSecrets(file, await Deno.readTextFile(join(ROOT, file))));
  }
  assert.ok(files > 500, `${files} files`);
  assert.deepEqual(found, []);
});

Deno.test("texts that look like a real secret are found, and reported without it", async () => {
  const body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ".repeat(9);
  const secrets = {
    "private key":
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----`,
    "GitHub": `token: "${"ghp_"}${"a1B2".repeat(9)}"`,
    "basic auth": `https://deploy:${"s3cr3t"}@example.com/`,
  };
  for (const [kind, content] of Object.entries(secrets)) {
    const [found] = await findSecrets("a.txt", `\n${content}\n`);
    assert.match(found ?? "nothing", new RegExp(`^a.txt:2 found ${kind}`, "i"));
    for (const secret of [body, "a1B2", "s3cr3t"]) {
      assert.ok(!found.includes(secret), found);
    }
  }
});
