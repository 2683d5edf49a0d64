import assert from "node:assert/strict";
import type { SecretPurpose } from "@/lib/base/secret.ts";
import { readModule, readSources, type Sources, visit } from "@/tests/support/house/sources.ts";

/** Rooms that may read a secret, by the purpose. All others pass secrets on. */
const ROOMS: Record<SecretPurpose, RegExp> = {
  run: /^lib\/execution\/process\//,
  mask: /^lib\/execution\/(log|git)\//,
  parse: /^lib\/(execution\/(ansible|git)|queue|resources|task_identity|workflows)\//,
  provider: /^lib\/(oidc|ldap|people|audit)\//,
  compare: /^lib\/(people|triggers|monitoring)\//,
  resume: /^lib\/people\//,
  show: /^lib\/triggers\//,
  import: /^lib\/maintenance\//,
  reseal: /^lib\/maintenance\/secret_key\//,
  seal: /^lib\/runner\//,
  server: /^lib\/runner\//,
  alert: /^lib\/alerts\//,
  source: /^lib\/execution\/sources\//,
};
const SECRET = "lib/base/secret.ts";

/** Returns the uses of `reveal` that name no purpose, or one that their room does not have. */
function breaches(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, text] of sources) {
    if (file === SECRET) continue;
    const { imports, exports } = readModule(file, text);
    if (exports.includes("reveal")) wrong.push(`${file}: passes on reveal`);
    const names = imports.flatMap(({ to, names }) => to === SECRET ? names : []);
    if (names.includes("*")) wrong.push(`${file}: imports all of ${SECRET}`);
    if (!names.includes("reveal")) continue;
    for (const purpose of purposesIn(file, text)) {
      if (purpose === null) wrong.push(`${file}: reveals a secret without a purpose`);
      else if (!ROOMS[purpose]?.test(file)) wrong.push(`${file}: may not reveal to ${purpose}`);
    }
  }
  return wrong;
}

/** Returns the purpose of each `reveal(…)` in a file; null for any other use of that name. */
function purposesIn(file: string, text: string): (SecretPurpose | null)[] {
  const found: (SecretPurpose | null)[] = [];
  visit(file, text, {
    ImportSpecifier({ imported, local }) {
      if (imported.type === "Identifier" && imported.name === "reveal" && local.name !== "reveal") {
        found.push(null);
      }
    },
    Identifier(node) {
      const { name, parent } = node;
      if (name !== "reveal" || parent.type === "ImportSpecifier") return;
      const purpose = parent.type === "CallExpression" && parent.callee === node
        ? parent.arguments[1]
        : null;
      found.push(purpose?.type === "Literal" ? purpose.value as SecretPurpose : null);
    },
  });
  return found;
}

Deno.test("secrets are read only in the rooms that have the purpose", async () => {
  const sources = await readSources(/^(lib|routes|components|islands)\/|^main\.ts$/);
  for (const file of sources.keys()) if (/_test\.tsx?$/.test(file)) sources.delete(file);
  assert.deepEqual(breaches(sources), []);
  for (const [purpose, rooms] of Object.entries(ROOMS)) {
    const isUsed = [...sources].some(([file, text]) =>
      rooms.test(file) && purposesIn(file, text).includes(purpose as SecretPurpose)
    );
    assert.ok(isUsed, `nobody needs ${purpose}`);
  }
});

Deno.test("a secret that is read for no purpose of its room is found, however it is read", () => {
  const breachesOf = (text: string, file = "lib/resources/keys/a.ts") =>
    breaches(new Map([[file, text]])).length;
  const named = (text: string) => `import { reveal } from "@/lib/base/secret.ts";\n${text}`;
  assert.equal(breachesOf(named('const text = reveal(await box.open(row), "parse");')), 0);
  const others = [
    named('reveal(secret, "run");'),
    named("reveal(secret, purpose);"),
    named("reveal(secret);"),
    named("secrets.map(reveal);"),
    named('const open = reveal; reveal(secret, "parse");'),
    'import { reveal as open } from "../../base/secret.ts";\nopen(secret, "parse");',
    'import * as secrets from "../../base/secret.ts";\nsecrets.reveal(secret, "parse");',
    'const { reveal } = await import("@/lib/base/secret.ts");',
    'export { reveal } from "../../base/secret.ts";',
  ];
  for (const text of others) assert.ok(breachesOf(text) > 0, text);
  assert.equal(breachesOf(named('reveal(secret, "parse");'), "routes/keys.tsx"), 1);
  assert.equal(breachesOf("const reveal = (row: Row) => row;\nreveal(row);"), 0);
});
