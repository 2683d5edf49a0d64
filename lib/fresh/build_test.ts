import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { aliasesOf } from "./aliases.ts";
import { Builder } from "./dev.ts";
import { buildConfig } from "./testdata/build_config.ts";

const { root } = buildConfig;

/** Creates a folder below the root, as a build has one. */
async function newFolder() {
  const path = await Deno.makeTempDir({ dir: import.meta.dirname, prefix: ".build-" });
  return {
    path,
    below: relative(root, path),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

Deno.test("a build is served by its server.js", async () => {
  await using folder = await newFolder();
  await new Builder({ ...buildConfig, outDir: folder.below }).build();
  const { default: server } = await import(pathToFileURL(join(folder.path, "server.js")).href);
  const get = (path: string, init?: RequestInit): Promise<Response> =>
    server.fetch(new Request("http://localhost" + path, init));

  const html = await (await get("/")).text();
  assert.match(html, /<h1>Home \/<\/h1>/);
  assert.match(html, /<title>Home<\/title><\/head>/);
  const cached = await get(/\/styles\.css\?__frsh_c=\w+/.exec(html)![0]);
  assert.equal(cached.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
  assert.match(await cached.text(), /teal/);
  const plain = await get("/styles.css");
  assert.match(plain.headers.get("Cache-Control")!, /must-revalidate/);
  assert.equal(plain.headers.get("Content-Length"), String((await plain.text()).length));
  assert.equal((await get("/styles.css", { method: "POST" })).status, 405);
  const outdated = await get("/styles.css?__frsh_c=old&a=1");
  assert.equal(outdated.status, 307);
  assert.equal(outdated.headers.get("location"), "/styles.css?a=1");

  assert.equal((await get("/a%20b,c.txt")).status, 200);
  assert.equal(await (await get("/.well-known/y.txt")).text(), "y\n");
  assert.equal((await get("/.hidden/x.txt")).status, 404);
  assert.equal((await get("/..%2fmain.ts")).status, 404);
  assert.equal((await get("/favicon.ico")).status, 404);
  assert.match(await (await get("/admin/fails")).text(), /<section><p class="admin-error">boom/);
});

Deno.test("pages with islands have a script, and only outermost islands are marked", async () => {
  await using folder = await newFolder();
  await new Builder({ ...buildConfig, outDir: folder.below }).build();
  const { default: server } = await import(pathToFileURL(join(folder.path, "server.js")).href);
  const get = async (path: string): Promise<[Response, string]> => {
    const response = await server.fetch(new Request("http://localhost" + path));
    return [response, await response.text()];
  };
  assert.doesNotMatch((await get("/"))[1], /<script/);
  const [response, html] = await get("/islands");
  const nonce = /'nonce-(\w+)'/.exec(response.headers.get("Content-Security-Policy")!)![1];
  assert.deepEqual(html.match(/<script[^>]*>/g), [`<script type="module" nonce="${nonce}">`]);
  assert.equal(html.match(/<!--frsh:island:\d+-->/g)?.length, 3);
  assert.match(html, /<!--frsh:island:0--><div class="counter".*?<!--\/frsh:island-->/s);
  const script = /<script[^>]*>(.*)<\/script>/s.exec(html)![1];
  const files = [...script.matchAll(/from"([^"]+)"/g)].map(([, file]) => file);
  assert.equal(files.length, 1, "both islands are small");
  for (const file of files) {
    const [bundle, text] = await get(file);
    assert.equal(bundle.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
    assert.match(bundle.headers.get("Content-Type")!, /javascript/);
    assert.ok(text.length > 50);
  }
  const [, props] = /boot\(\[i0,i0,i1],(".*")\);$/s.exec(script)!;
  assert.equal(JSON.parse(JSON.parse(props))[0].label, "</script><b>\u2028\u2029");
  assert.doesNotMatch(script, /[<\u2028\u2029]/, "no text may end the script, or a line of it");
  assert.match((await get("/cart"))[1], /<!--frsh:island:0--><button type="button">Buy</);
});

Deno.test("a build that fails reports the reason, and names the file that it does not support", async () => {
  await using folder = await newFolder();
  const { path, below } = folder;
  await Deno.writeTextFile(join(path, "Broken.tsx"), 'import "not-there";\n');
  const broken = new Builder({ ...buildConfig, islandDir: below, outDir: below });
  await assert.rejects(broken.build(), /not-there/);
  await Deno.rename(join(path, "Broken.tsx"), join(path, "_404.tsx"));
  const strange = new Builder({ ...buildConfig, routeDir: below });
  await assert.rejects(strange.build({ snapshot: "memory" }), /"_404.tsx"/);
});

Deno.test("the import map is resolved as Deno resolves it", () => {
  const imports = {
    "@/": "./",
    "fresh/runtime": "./lib/fresh/runtime.ts",
    "preact": "npm:preact@10.1.2",
    "react": "npm:preact@10.1.2/compat",
    "@scope/x": "npm:@scope/y@1/z",
  };
  assert.deepEqual(aliasesOf(imports, "/app"), {
    "@": "/app",
    "fresh/runtime": "/app/lib/fresh/runtime.ts",
    "react": "preact/compat",
    "@scope/x": "@scope/y/z",
  });
});

Deno.test("in development, pages reload automatically and nothing is cached", async () => {
  const ending = new AbortController();
  const listening = Promise.withResolvers<Deno.NetAddr>();
  await new Builder(buildConfig).listen(() => import("./testdata/main.ts"), {
    port: 0,
    signal: ending.signal,
    onListen: listening.resolve,
  });
  const origin = `http://localhost:${(await listening.promise).port}`;
  const html = await (await fetch(origin)).text();
  assert.match(html, /<script type="module" nonce="\w+">.*WebSocket\("\/_frsh\/alive"\)/s);
  const styles = await fetch(origin + "/styles.css");
  assert.match(styles.headers.get("Cache-Control")!, /no-store/);
  await styles.body?.cancel();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/_frsh/alive`);
  const { data } = await new Promise<MessageEvent>((resolve) => socket.onmessage = resolve);
  assert.match(data, /^[0-9a-f-]{36}$/);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.close();
  await closed;
  ending.abort();
});
