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

const read = (root: string) => Deno.readTextFile(join(root, "_generated/static/styles.css"));

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

/** Declarations that make a sheet large enough to be one of its own. */
const LARGE = Array.from({ length: 60 }, (_, n) => `.key-${n} b{order:${n}}`).join("");

Deno.test("A larger area has a sheet of its own, and its names say which pages need it", async () => {
  const root = await newTree();
  for (const folder of ["keys", "users"]) await Deno.mkdir(join(root, "components", folder));
  const keys = `${LARGE} .form :is(.key, .pin):not(.old) { color: blue } .key .row { color: red }`;
  await Deno.writeTextFile(join(root, "components/keys/keys.css"), keys);
  await Deno.writeTextFile(join(root, "components/users/users.css"), ".user{color:green}");
  await buildStyles(root);
  const css = await read(root);
  assert.match(css, /\.user\{/, "too small");
  assert.doesNotMatch(css, /\.key/);
  const sheet = await Deno.readTextFile(join(root, "_generated/static/styles/keys.css"));
  assert.match(sheet, /^\.key-0 b\{order:0\}/);
  const { keys: sets, ...others } = JSON.parse(
    await Deno.readTextFile(join(root, "_generated/sheets.json")),
  );
  assert.deepEqual(others, {});
  assert.deepEqual(sets.slice(-3), ["form key", "form pin", "key row"]);
  assert.equal(sets.length, 63);
  await Deno.remove(root, { recursive: true });
});

Deno.test("A sheet of an area that is gone is gone, too", async () => {
  const root = await newTree();
  const path = join(root, "components/keys/keys.css");
  await Deno.mkdir(join(root, "components/keys"));
  await Deno.writeTextFile(path, LARGE);
  await buildStyles(root);
  await Deno.remove(path);
  await buildStyles(root);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(join(root, "_generated/static/styles"))), []);
  await Deno.remove(root, { recursive: true });
});

Deno.test("A rule for all pages is rejected in the sheet of an area", async () => {
  const root = await newTree();
  await Deno.mkdir(join(root, "components/keys"));
  await Deno.writeTextFile(join(root, "components/keys/keys.css"), `${LARGE}kbd:not(.key){top:0}`);
  await assert.rejects(buildStyles(root), /components\/keys: "kbd:not\(\.key\)" needs a class/);
  await Deno.remove(root, { recursive: true });
});
