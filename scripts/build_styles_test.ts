import assert from "node:assert/strict";
import { join } from "node:path";
import { buildStyles } from "./build_styles.ts";

async function newTree(): Promise<string> {
  const root = await Deno.makeTempDir();
  for (const folder of ["components/ui", "islands", "routes/deep"]) {
    await Deno.mkdir(join(root, folder), { recursive: true });
  }
  await Deno.writeTextFile(
    join(root, "components/ui/base.css"),
    "/* why */\na {\n  color: red;\n}\n",
  );
  await Deno.writeTextFile(
    join(root, "routes/deep/page.tsx"),
    `<p class="mt-7 text-muted lg:hidden">`,
  );
  return root;
}

const read = (root: string) => Deno.readTextFile(join(root, "_generated/styles.css"));

Deno.test("The style sheet holds the themes, the base and the classes that pages use", async () => {
  const root = await newTree();
  assert.equal(await buildStyles(root), true);
  const css = await read(root);
  assert.match(css, /:root\[data-theme=dark\]\{color-scheme:dark;--page:#/);
  assert.match(css, /a\{color:red\}/);
  assert.match(css, /\.mt-7\{margin-top:1\.75rem\}/);
  assert.match(css, /\.text-muted\{color:var\(--muted\)\}/);
  assert.match(css, /@media\(min-width:960px\)\{\.lg\\:hidden\{display:none\}\}/);
  assert.doesNotMatch(css, /why/);
  await Deno.remove(root, { recursive: true });
});

Deno.test("Letters of drawings make no classes", async () => {
  const root = await newTree();
  await Deno.writeTextFile(join(root, "components/ui/icons.ts"), `"m17 9 m21"`);
  await buildStyles(root);
  assert.doesNotMatch(await read(root), /m17|m21/);
  await Deno.remove(root, { recursive: true });
});

Deno.test("A part of all pages is drawn over elements, and what is made of it over the part", async () => {
  const root = await newTree();
  await Deno.mkdir(join(root, "components/keys"));
  await Deno.writeTextFile(join(root, "components/keys/keys.css"), ".key{color:blue}");
  await Deno.writeTextFile(join(root, "components/ui/alert.css"), ".alert{color:green}");
  await buildStyles(root);
  assert.match(await read(root), /a\{color:red\}\.alert\{color:green\}\.key\{color:#00f\}/);
  await Deno.remove(root, { recursive: true });
});

Deno.test("The style sheet is written again only when an input has changed", async () => {
  const root = await newTree();
  await buildStyles(root);
  const before = await read(root);
  assert.equal(await buildStyles(root), false);
  assert.equal(await read(root), before);

  await Deno.writeTextFile(join(root, "islands/New.tsx"), `<p class="mt-9">`);
  assert.equal(await buildStyles(root), true);
  assert.match(await read(root), /\.mt-9\{/);
  await Deno.remove(root, { recursive: true });
});
