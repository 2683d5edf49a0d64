import assert from "node:assert/strict";
import { archiveComponents, idOf, wheelComponents } from "@/tools/package/components.ts";
import { ARCHITECTURES, DENO } from "@/tools/package/deno_binary.ts";
import { sbom } from "@/tools/package/sbom.ts";
import { Spec } from "@/tests/packages/cyclonedx.ts";
import { Validation } from "@/tests/packages/cyclonedx_validation.ts";

const SUBJECT = { name: "callboard", version: "1.2.3", time: new Date(1_700_000_000_000) };

Deno.test("the list of an archive's components is valid, and the same each time", async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  for (const architecture of ARCHITECTURES) {
    const text = sbom(SUBJECT, await archiveComponents(architecture));
    assert.equal(await validator.validate(text), null);
    assert.equal(sbom(SUBJECT, await archiveComponents(architecture)), text);
    const { name, version } = DENO[architecture];
    assert.ok(text.includes(`pkg:npm/${name.replace("@", "%40")}@${version}`));
  }
  const wheels = sbom(SUBJECT, await wheelComponents());
  assert.equal(await validator.validate(wheels), null);
  assert.match(wheels, /pkg:pypi\/ansible-core@2\.19/);
});

Deno.test("an archive contains the license of each package in it, and no tool of the build", async () => {
  const components = await archiveComponents("x64");
  for (const { text, license, name } of components) {
    assert.ok(text && text.length > 200 && license, name);
  }
  const ids = components.map(idOf);
  for (const name of ["zod", "preact", "@codemirror/view", "style-mod", "lucide-static"]) {
    assert.ok(ids.some((id) => id.startsWith(`${name}@`)), name);
  }
  assert.deepEqual(ids.filter((id) => /esbuild|unocss/.test(id)), []);
});
