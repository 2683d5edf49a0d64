import assert from "node:assert/strict";
import { compareIds, crawl } from "./crawl.ts";
import { Builder } from "./dev.ts";
import { propsText } from "./render.ts";
import { pathToPattern } from "./router.ts";
import { app } from "./testdata/main.ts";

const root = import.meta.dirname + "/testdata";
(await new Builder({ root }).build({ snapshot: "memory" }))(app);
const handler = app.handler();

function get(path: string, init?: RequestInit): Promise<Response> {
  return handler(new Request(new URL(path, "http://localhost"), init));
}

async function bodyOf(path: string): Promise<string> {
  const html = await (await get(path)).text();
  return /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? html;
}

Deno.test("a file's path becomes its pattern", () => {
  const patterns: Record<string, string> = {
    "index": "/",
    "about": "/about",
    "blog/index": "/blog",
    "blog/[slug]": "/blog/:slug",
    "blog/[slug]/edit": "/blog/:slug/edit",
    "old/[...rest]": "/old/:rest*",
    "docs/[[version]]/index": "/docs{/:version}?",
    "[[lang]]": "/{:lang}?",
    "(group)/page": "/page",
    "(group)/index": "/",
    "[name].[ext]": "/:name.:ext",
  };
  for (const [path, pattern] of Object.entries(patterns)) {
    assert.equal(pathToPattern(path), pattern, path);
  }
  assert.equal(pathToPattern("(group)/page", true), "/(group)/page");
  assert.throws(() => pathToPattern("[a][b]"), SyntaxError);
  assert.throws(() => pathToPattern("a-[[b]]"), SyntaxError);
  assert.throws(() => pathToPattern("[a"), SyntaxError);
});

Deno.test("special files come first, parameters last", () => {
  const ids = [
    "/[...rest]",
    "/[id]",
    "/[id]/edit",
    "/about",
    "/index",
    "/(group)/x",
    "/_error",
    "/_layout",
    "/_middleware",
    "/a/[id]",
    "/a/_middleware",
    "/a/b",
    "/_app",
  ];
  assert.deepEqual(ids.toSorted(compareIds), [
    "/_app",
    "/_middleware",
    "/_layout",
    "/_error",
    "/index",
    "/a/_middleware",
    "/a/b",
    "/a/[id]",
    "/about",
    "/(group)/x",
    "/[id]/edit",
    "/[id]",
    "/[...rest]",
  ]);
});

Deno.test("tests and folders like (_components) hold no routes", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/routes/a/(_components)`, { recursive: true });
    const files = ["a/b.tsx", "a/b_test.tsx", "a/(_components)/c.tsx", "a/notes.md", "d.ts"];
    for (const file of files) await Deno.writeTextFile(`${root}/routes/${file}`, "");
    const folders = { root, routeDir: `${root}/routes`, islandDir: `${root}/islands` };
    const { routes, islands } = await crawl(folders);
    assert.deepEqual(routes.map(({ path }) => path), ["routes/a/b.tsx", "routes/d.ts"]);
    assert.deepEqual(islands, []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("a page is found by its file, literal names before parameters", async () => {
  assert.equal(await bodyOf("/blog"), "<main><p>blog</p></main>");
  assert.equal(await bodyOf("/blog/new"), "<main><p>new post</p></main>");
  assert.equal(await bodyOf("/blog/caf%C3%A9"), "<main><p>post café</p></main>");
  assert.equal(await bodyOf("/files/a/b"), "GET a/b");
  assert.equal(await bodyOf("/opt"), "page none of /opt/:page?");
  assert.equal(await bodyOf("/opt/2"), "page 2 of /opt/:page?");
});

Deno.test("groups have layouts of their own but are no part of the address", async () => {
  assert.match(
    await bodyOf("/cart"),
    /^<main><div class="shop"><button type="button">Buy<\/button><\/div><\/main>/,
  );
  assert.equal(await bodyOf("/about"), "<main><p>about</p></main>");
  assert.equal((await get("/(plain)/about")).status, 404);
});

Deno.test("middlewares run from the outermost folder inwards", async () => {
  const response = await get("/admin");
  assert.equal(response.headers.get("X-Trail"), "first second admin");
  assert.match(await response.text(), /data-trail="first second admin"/);
  assert.equal((await get("/blog")).headers.get("X-Trail"), "first second");
});

Deno.test("a handler's data, status and headers reach the page", async () => {
  const response = await get("/admin");
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("X-Page"), "yes");
  assert.match(await response.text(), /<main><section><h1>Hello admin<\/h1><\/section><\/main>/);
});

Deno.test("a form is posted, and the redirect stays here", async () => {
  const body = new URLSearchParams({ name: "alice" });
  const response = await get("/admin", { method: "POST", body });
  assert.equal(response.status, 303);
  assert.equal(response.headers.get("location"), "/evil.example/alice");
});

Deno.test("the nearest _error shows what was thrown, with its status", async () => {
  const failed = await get("/admin/fails");
  assert.equal(failed.status, 500);
  assert.match(await failed.text(), /<section><p class="admin-error">boom<\/p><\/section>/);
  const denied = await get("/admin/denied");
  assert.equal(denied.status, 403);
  assert.match(await denied.text(), /not yours/);
  const missing = await get("/nowhere");
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /<main><p class="error">Status 404<\/p><\/main>/);
});

Deno.test("a page may leave out layouts and wrapper, answer by itself, or choose its address", async () => {
  assert.equal(await bodyOf("/admin/bare"), "<!DOCTYPE html><p>bare</p>");
  assert.equal((await get("/about?away")).status, 307);
  assert.equal(await bodyOf("/elsewhere/12"), "<main><p>overridden</p></main>");
  assert.equal((await get("/elsewhere/x")).status, 404);
  assert.equal((await get("/override")).status, 404);
});

Deno.test("a method that a route file does not handle is 404, as in Fresh", async () => {
  assert.equal((await get("/admin", { method: "PUT" })).status, 404);
  assert.equal((await get("/blog", { method: "HEAD" })).status, 200);
});

Deno.test("a page without islands has no script; one with islands has one, with the nonce", async () => {
  assert.ok(!(await (await get("/")).text()).includes("<script"));
  const response = await get("/islands");
  const html = await response.text();
  const nonce = /'nonce-(\w+)'/.exec(response.headers.get("Content-Security-Policy")!)![1];
  assert.deepEqual(html.match(/<script[^>]*>/g), [`<script type="module" nonce="${nonce}">`]);

  const script = /<script[^>]*>(.*)<\/script>/s.exec(html)![1];
  const files = [...script.matchAll(/from"([^"]+)"/g)].map(([, file]) => file);
  assert.equal(files.length, 3);
  for (const file of files) {
    const bundle = await get(file);
    assert.equal(bundle.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
    assert.match(bundle.headers.get("Content-Type")!, /javascript/);
    assert.ok((await bundle.text()).length > 50);
    assert.ok(response.headers.get("Link")!.includes(`<${file}>; rel="modulepreload"`));
  }
  const [, props] = /boot\(\[i0,i0,i1],(".*")\);$/s.exec(script)!;
  assert.equal(JSON.parse(JSON.parse(props))[0].label, "</script><b>\u2028\u2029");
  assert.doesNotMatch(script, /[<\u2028\u2029]/, "no text may end the script, or a line of it");
});

Deno.test("islands are marked, but not within others", async () => {
  const body = await bodyOf("/islands");
  assert.equal(body.match(/<!--frsh:island:\d+-->/g)?.length, 3);
  assert.match(body, /<!--frsh:island:0--><div class="counter".*?<!--\/frsh:island-->/s);
  assert.match(body, /<!--frsh:island:2--><em[^>]*>alone<\/em><!--\/frsh:island-->/);
});

Deno.test("an island's props are plain, and what is not is refused by name", () => {
  for (const value of [new Date(), 2n, NaN, () => {}, new Map(), Symbol("x")]) {
    assert.throws(() => propsText([{ list: [{ value }] }]), /"value" is not/);
  }
  const props = {
    text: "</script>\u2028\0\ud800",
    list: [1, null, { a: true }],
    missing: undefined,
  };
  assert.deepEqual(JSON.parse(propsText([props])), [{ ...JSON.parse(JSON.stringify(props)) }]);
});
