import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "./bundle.ts";
import { buildConfig } from "./testdata/build_config.ts";

const { root, target } = buildConfig;

/** Islands that share a value with each other, and with modules that are imported later. */
const SOURCES = {
  "shared.ts": "export const shared = {};",
  "late.ts": `export const late = [${JSON.stringify("text ".repeat(300))}];`,
  "tiny.ts": "export const tiny = {};",
  "tinier.ts": 'export { tiny } from "./tiny.ts";',
  "later.ts": `export { shared } from "./shared.ts"; export { late } from "./late.ts";
    export { tiny } from "./tiny.ts";`,
  "latest.ts": 'export { late } from "./late.ts";',
  "Small.ts": 'export { shared } from "./shared.ts"; export default () => null;',
  "Large.ts": `export { shared } from "./shared.ts";
    export const load = () => import("./later.ts");
    export const loadLatest = () => import("./latest.ts");
    export const loadTinier = () => import("./tinier.ts");
    export default () => ${JSON.stringify("text ".repeat(1_000))};`,
};

Deno.test("small islands and what islands share are in one file, large islands and later modules are not", async () => {
  const folder = await Deno.makeTempDir({ dir: import.meta.dirname, prefix: ".build-" });
  const bundleTo = async (out: string) => {
    const scripts = await bundle({
      root,
      target,
      client: "lib/fresh/client.ts",
      islands: ["Small.ts", "Large.ts"].map((name) => relative(root, join(folder, name))),
      buildId: "test",
      isDevelopment: false,
    });
    await Deno.mkdir(join(folder, out));
    for (const [name, content] of scripts.files) {
      await Deno.writeFile(join(folder, out, name), content);
    }
    return scripts;
  };
  try {
    for (const [name, text] of Object.entries(SOURCES)) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const { files, client, islands: [small, large] } = await bundleTo("first");
    const names = [...files.keys()].map((name) => name.replace(/-\w+\.js$/, "")).toSorted();
    assert.deepEqual(names, ["Large", "chunk", "client", "later", "latest", "tinier"]);
    assert.deepEqual([small.name, large.prefix], [client, ""]);
    const load = (name: string) => import(pathToFileURL(join(folder, "first", name)).href);
    const inClient = await load(client);
    const inLarge = await load(large.name);
    assert.equal(typeof inClient.boot, "function");
    assert.equal(inClient[small.prefix + "default"](), null);
    assert.equal(inClient[small.prefix + "shared"], inLarge.shared);
    assert.equal((await inLarge.load()).shared, inLarge.shared);
    assert.equal((await inLarge.load()).late, (await inLarge.loadLatest()).late);
    assert.equal((await inLarge.load()).tiny, (await inLarge.loadTinier()).tiny);

    await Deno.writeTextFile(join(folder, "shared.ts"), "export const shared = [];");
    const changed = [...(await bundleTo("second")).files.keys()];
    assert.deepEqual(changed.filter((name) => files.has(name)), [], "all files import it");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
