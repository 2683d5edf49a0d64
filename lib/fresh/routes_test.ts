// deno-lint-ignore-file no-console
import assert from "node:assert/strict";
import { App, type Context, HttpError } from "./mod.ts";
import { validateModule } from "./build_cache.ts";
import { serve } from "./testdata/serve.ts";

interface State {
  trail: string;
}

/** Silences the console and counts the suppressed messages. */
function quietConsole() {
  const original = console.error;
  let count = 0;
  console.error = () => void count++;
  return { count: () => count, [Symbol.dispose]: () => void (console.error = original) };
}

const leaves = (mark: string) => (ctx: Context<State>) => {
  ctx.state.trail = (ctx.state.trail ?? "") + mark;
  return ctx.next();
};
const trail = { handler: (ctx: Context<State>) => new Response(ctx.state.trail ?? "none") };
const says = (text: string) => ({
  handler: ({ params }: Context<State>) => new Response(`${text} ${JSON.stringify(params)}`),
});
const throws = (error: unknown) => ({
  handler: () => {
    throw error;
  },
});
const textOf = async (response: Promise<Response>) => await (await response).text();

Deno.test("middlewares run from the outermost folder inwards", async () => {
  const get = serve<State>({
    "_middleware": { default: leaves("b") },
    "in/_middleware": { default: [leaves("c"), leaves("d")] },
    "in/(group)/_middleware": { handler: leaves("e") },
    "in/(group)/deep/er": trail,
    "in/index": trail,
    "inside": trail,
  }, { middlewares: [leaves("a")] });
  assert.equal(await textOf(get("/in/deep/er")), "abcde");
  assert.equal(await textOf(get("/in")), "abcd");
  assert.equal(await textOf(get("/inside")), "ab");
});

Deno.test("literal names come before parameters, and these before the rest of a path", async () => {
  const get = serve({
    "files/[...path]": says("rest"),
    "files/[name]": says("name"),
    "[id]/index": says("id"),
    "[id]/edit": says("edit"),
    "new": says("new"),
    "a.b/[id]": says("dot"),
  });
  assert.equal(await textOf(get("/new")), "new {}");
  assert.equal(await textOf(get("/7")), 'id {"id":"7"}');
  assert.equal(await textOf(get("/caf%C3%A9/edit")), 'edit {"id":"café"}');
  assert.equal(await textOf(get("/a%2Fb")), 'id {"id":"a%2Fb"}');
  assert.equal(await textOf(get("/files/a")), 'name {"name":"a"}');
  assert.equal(await textOf(get("/files/a/b")), 'rest {"path":"a/b"}');
  assert.equal(await textOf(get("/files")), 'rest {"path":""}');
  assert.equal((await get("/aXb/1")).status, 404);
});

Deno.test("a route with an unsupported path or export is reported by name", () => {
  for (const id of ["a-[id]", "[a].[b]", "[[page]]", "[...path]/more"]) {
    assert.throws(() => serve({ [id]: trail }), /cannot match/, id);
  }
  assert.throws(
    () => validateModule("about", { config: {}, default: () => null } as object),
    /config/,
  );
  assert.throws(() => validateModule("about", {}), /"about" exports nothing/);
  assert.throws(() => new App<State>().fsRoutes().use(leaves("late")), /after fsRoutes/);
  assert.throws(() => new App().fsRoutes().handler(), /needs a build/);
  const withRoute = (path: string) => new App<State>().route(path, () => Promise.resolve(trail));
  assert.throws(() => withRoute("/early").fsRoutes(), /no route before/);
  for (const app of [new App<State>().use(leaves("x")), new App<State>().fsRoutes()]) {
    assert.throws(() => new App<State>().fsRoutes().mountApp("/in", app), /mounts only/);
  }
  for (const path of ["/a/*", "/:id.html", "/a:b", "/[id]", "/{/:id}?"]) {
    assert.throws(() => serve({}, { apps: { "/in": withRoute(path) } }), /cannot match/, path);
  }
});

Deno.test("an app is mounted at several paths, each with the middlewares of its folder", async () => {
  const things = new App<State>()
    .route("/", () => Promise.resolve(trail))
    .route("/new", () => Promise.resolve(says("new")))
    .route("/:id", () => Promise.resolve(says("one")))
    .route("/:id/edit", () => Promise.resolve({ handler: { POST: says("sent").handler } }));
  const get = serve<State>({
    "_middleware": { default: leaves("b") },
    "admin/_middleware": { default: leaves("c") },
    "shop/[shopId]/_middleware": {
      default: (ctx: Context<State>) => leaves(ctx.params.shopId!)(ctx),
    },
    "shop/[shopId]/things/old": says("file"),
  }, {
    middlewares: [leaves("a")],
    config: { basePath: "/base" },
    apps: { "/admin/things": things, "/shop/:shopId/things": things },
  });
  assert.equal(await textOf(get("/base/admin/things")), "abc");
  assert.equal(await textOf(get("/base/shop/7/things")), "ab7");
  assert.equal(await textOf(get("/base/admin/things/new")), "new {}");
  assert.equal(await textOf(get("/base/shop/7/things/3")), 'one {"shopId":"7","id":"3"}');
  assert.equal(await textOf(get("/base/shop/7/things/old")), 'file {"shopId":"7"}');
  const sent = await get("/base/admin/things/3/edit", { method: "POST" });
  assert.equal(await sent.text(), 'sent {"id":"3"}');
  assert.equal((await get("/base/admin/things/3/edit")).status, 404);
  assert.equal((await get("/base/things")).status, 404);
});

Deno.test("HEAD is answered like GET without a body, and other missing methods with 404", async () => {
  const get = serve({ "index": { handler: { GET: () => Response.json({ a: 1 }) } } });
  const head = await get("/", { method: "HEAD" });
  assert.equal(head.headers.get("Content-Type"), "application/json");
  assert.equal(await head.text(), "");
  using _ = quietConsole();
  assert.equal((await get("/", { method: "DELETE" })).status, 404);
});

Deno.test("all routes are below the base path", async () => {
  const modules = { "index": says("root"), "in/[id]": says("in") };
  const get = serve(modules, { config: { basePath: "/base" } });
  assert.equal(await textOf(get("/base")), "root {}");
  assert.equal(await textOf(get("/base/in/3")), 'in {"id":"3"}');
  assert.equal((await get("/in/3")).status, 404);
});

Deno.test("forwarded headers count only if the proxy is trusted", async () => {
  const headers = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.com:444" };
  const modules = { index: { handler: ({ url }: Context<State>) => new Response(url.href) } };
  const href = (trustProxy: boolean) =>
    textOf(serve(modules, { config: { trustProxy } })("/", { headers }));
  assert.equal(await href(true), "https://example.com:444/");
  assert.equal(await href(false), "http://localhost/");
});

Deno.test("a redirect stays on this site, unless it names another", async () => {
  const handler = (ctx: Context<State>) => ctx.redirect(ctx.url.searchParams.get("to")!, 303);
  const get = serve({ index: { handler } });
  const redirects: Record<string, string> = {
    "//evil.com": "/evil.com",
    "/a//b?c=//d": "/a/b?c=//d",
    "https://example.com//x": "https://example.com//x",
    "/?a=1#b": "/?a=1#b",
    "/": "/",
  };
  for (const [target, location] of Object.entries(redirects)) {
    const response = await get(`/?to=${encodeURIComponent(target)}`);
    assert.equal(response.status, 303);
    assert.equal(response.headers.get("location"), location);
  }
});

Deno.test("the nearest error page responds, also to errors of its folder's middleware", async () => {
  const told = (name: string) => ({
    handler: ({ error }: Context<State>) => new Response(`${name}: ${(error as Error).message}`),
  });
  const get = serve<State>({
    "_error": told("root"),
    "in/_error": told("in"),
    "in/_middleware": {
      default: (ctx: Context<State>) =>
        ctx.url.search ? throws(new Error("m")).handler() : ctx.next(),
    },
    "in/bug": throws(new Error("bug")),
    "out": throws(new Error("out")),
    "forged": trail,
  }, {
    middlewares: [
      (ctx) =>
        ctx.url.pathname === "/forged" ? throws(new HttpError(403, "no")).handler() : ctx.next(),
    ],
  });
  assert.equal(await textOf(get("/in/bug")), "in: bug");
  assert.equal(await textOf(get("/in/bug?m")), "in: m");
  assert.equal(await textOf(get("/out")), "root: out");
  assert.equal(await textOf(get("/forged")), "root: no");
  assert.equal(await textOf(get("/in/nowhere")), "root: ");
});

Deno.test("without an error page, errors are answered as text and bugs without details", async () => {
  const get = serve({
    bug: throws(new Error("secret")),
    denied: throws(new HttpError(403, "not yours")),
  });
  using printed = quietConsole();
  assert.equal(await textOf(get("/bug")), "Internal server error");
  assert.equal(printed.count(), 1);
  const denied = await get("/denied");
  assert.equal(denied.status, 403);
  assert.equal(await denied.text(), "not yours");
});

Deno.test("a web socket calls its handlers when it opens and closes", async () => {
  const closed = Promise.withResolvers<number>();
  const app = new App().fsRoutes();
  const handler = (ctx: Context<State>) =>
    ctx.upgrade({
      open: (socket) => socket.send("hello"),
      close: (_, code) => closed.resolve(code),
    });
  const pages = [{ id: "ws", parts: ["ws"], load: () => Promise.resolve({ handler }) }];
  const files = { specials: new Map(), pages, islands: new Map(), files: new Map() };
  app.buildCache = { ...files, clientEntry: "", read: () => Promise.reject() };
  await using server = Deno.serve({ port: 0, onListen: () => {} }, app.handler());
  const socket = new WebSocket(`ws://localhost:${(server.addr as Deno.NetAddr).port}/ws`);
  const { data } = await new Promise<MessageEvent>((resolve) => socket.onmessage = resolve);
  assert.equal(data, "hello");
  const gone = new Promise((resolve) => socket.onclose = resolve);
  socket.close(1000);
  await gone;
  assert.equal(await closed.promise, 1000);
});
