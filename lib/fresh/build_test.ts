import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { aliasesOf } from "./bundle.ts";
import { Builder } from "./dev.ts";

type Server = { fetch(request: Request): Promise<Response> };

/** A copy of the fixture inside of this folder, so that it finds the import map. */
async function newProject() {
  const root = await Deno.makeTempDir({ dir: import.meta.dirname, prefix: ".build-" });
  const from = import.meta.dirname + "/testdata";
  await new Deno.Command("cp", { args: ["-r", from + "/.", root] }).output();
  return {
    root,
    build: async () => void await new Builder({ root }).build(),
    load: async () =>
      (await import(pathToFileURL(join(root, "_fresh/server.js")).href)).default as Server,
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function writtenAt(root: string): Promise<number> {
  return (await Deno.stat(join(root, "_fresh/manifest.json"))).mtime!.getTime();
}

Deno.test("a build is served by its server.js", async () => {
  await using project = await newProject();
  await project.build();
  const { fetch } = await project.load();
  const get = (path: string, headers = {}) =>
    fetch(new Request("http://localhost" + path, { headers }));

  const html = await (await get("/")).text();
  assert.match(html, /<h1>Home \/<\/h1>/);
  const styles = /\/styles\.css\?__frsh_c=\w+/.exec(html)![0];
  const cached = await get(styles);
  assert.equal(cached.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
  assert.match(await cached.text(), /teal/);

  const plain = await get("/styles.css");
  assert.match(plain.headers.get("Cache-Control")!, /must-revalidate/);
  assert.equal(plain.headers.get("Content-Length"), String((await plain.text()).length));
  const again = await get("/styles.css", { "If-None-Match": plain.headers.get("Etag") });
  assert.equal(again.status, 304);

  const outdated = await get("/styles.css?__frsh_c=old&a=1");
  assert.equal(outdated.status, 307);
  assert.equal(outdated.headers.get("location"), "/styles.css?a=1");

  assert.equal((await get("/a%20b,c.txt")).status, 200);
  assert.equal(await (await get("/.well-known/y.txt")).text(), "y\n");
  assert.equal((await get("/.hidden/x.txt")).status, 404);
  assert.equal((await get("/..%2fmain.ts")).status, 404);
  assert.equal((await get("/favicon.ico")).status, 404);

  const islands = await (await get("/islands")).text();
  const bundle = await get(/from"([^"]*Counter[^"]*)"/.exec(islands)![1]);
  assert.equal(bundle.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
  assert.equal((await (await get("/admin/fails")).text()).includes("boom"), true);
});

Deno.test("nothing is built again while no input has changed", async () => {
  await using project = await newProject();
  await project.build();
  const first = await writtenAt(project.root);
  await project.build();
  assert.equal(await writtenAt(project.root), first);

  const changes: [string, string][] = [
    ["islands/Note.tsx", "\nexport const added = 1;\n"],
    ["static/styles.css", "\nh2 { color: teal }\n"],
    ["routes/more.tsx", "export default () => <p>more</p>;\n"],
  ];
  for (const [path, text] of changes) {
    await Deno.writeTextFile(join(project.root, path), text, { append: true });
    const before = await writtenAt(project.root);
    await project.build();
    assert.notEqual(await writtenAt(project.root), before, path);
  }
});

Deno.test("a build that fails says why, and the next one is not taken for it", async () => {
  await using project = await newProject();
  const path = join(project.root, "islands/Note.tsx");
  const code = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, 'import "not-there";\n' + code);
  await assert.rejects(project.build(), /not-there/);
  await Deno.writeTextFile(path, code);
  await project.build();
});

Deno.test("the import map is followed as Deno follows it", () => {
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
