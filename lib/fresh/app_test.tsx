// deno-lint-ignore-file no-console
import assert from "node:assert/strict";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { App, type Context, HttpError, page } from "./mod.ts";
import { Head } from "./runtime.ts";

interface State {
  trail: string;
}
type Handler = ReturnType<App<State>["handler"]>;

function get(handler: Handler, path: string, init?: RequestInit): Promise<Response> {
  return handler(new Request(new URL(path, "http://localhost"), init));
}

async function text(handler: Handler, path: string, init?: RequestInit): Promise<string> {
  return await (await get(handler, path, init)).text();
}

/** Keeps the console quiet, and counts what would have been printed. */
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
const trail = (ctx: Context<State>) => ctx.text(ctx.state.trail ?? "none");

Deno.test("a middleware applies to what is added after it, below its path", async () => {
  const handler = new App<State>()
    .get("/before", trail)
    .use(leaves("a"), leaves("b"))
    .use("/in", leaves("i"))
    .get("/in/deep/er", trail)
    .get("/inside", trail)
    .handler();
  assert.equal(await text(handler, "/before"), "none");
  assert.equal(await text(handler, "/in/deep/er"), "abi");
  assert.equal(await text(handler, "/inside"), "ab");
});

Deno.test("a middleware sees and may change the response of the next", async () => {
  const handler = new App<State>()
    .use(async (ctx) => {
      const response = await ctx.next();
      response.headers.set("X-Status", String(response.status));
      return response;
    })
    .get("/", (ctx) => ctx.text("hi", { status: 201 }))
    .handler();
  assert.equal((await get(handler, "/")).headers.get("X-Status"), "201");
});

Deno.test("literal paths win over parameters, and the first of two patterns wins", async () => {
  const handler = new App<State>()
    .get("/files/:path*", (ctx) => ctx.text(`path ${ctx.params.path}`))
    .get("/:id", (ctx) => ctx.text(`id ${ctx.params.id} of ${ctx.route}`))
    .get("/new", (ctx) => ctx.text("new"))
    .get("/:other", (ctx) => ctx.text("never"))
    .get("/n/:number(\\d+)", (ctx) => ctx.text(`number ${ctx.params.number}`))
    .get("/n/:word", (ctx) => ctx.text(`word ${ctx.params.word}`))
    .handler();
  assert.equal(await text(handler, "/new"), "new");
  assert.equal(await text(handler, "/new/"), "new");
  assert.equal(await text(handler, "/7"), "id 7 of /:id");
  assert.equal(await text(handler, "/caf%C3%A9"), "id café of /:id");
  assert.equal(await text(handler, "/files"), "path ");
  assert.equal(await text(handler, "/files/a/b"), "path a/b");
  assert.equal(await text(handler, "/n/12"), "number 12");
  assert.equal(await text(handler, "/n/x"), "word x");
});

Deno.test("a method that a path does not know is 405, and OPTIONS tells those it knows", async () => {
  const handler = new App<State>()
    .get("/a", (ctx) => ctx.text("got"))
    .post("/a", (ctx) => ctx.text("posted"))
    .all("/all", (ctx) => ctx.text(ctx.req.method))
    .handler();
  assert.equal(await text(handler, "/a", { method: "POST" }), "posted");
  assert.equal((await get(handler, "/a", { method: "DELETE" })).status, 405);
  assert.equal((await get(handler, "/b", { method: "DELETE" })).status, 404);
  const options = await get(handler, "/a", { method: "OPTIONS" });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get("Allow"), "GET, POST");
  assert.equal(await text(handler, "/all", { method: "PUT" }), "PUT");
});

Deno.test("HEAD is answered like GET, without a body", async () => {
  const handler = new App<State>().get("/", (ctx) => ctx.json({ a: 1 })).handler();
  const response = await get(handler, "/", { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Content-Type"), "application/json");
  assert.equal(await response.text(), "");
});

Deno.test("everything lies below the base path", async () => {
  const handler = new App<State>({ basePath: "/base" })
    .use("/in", leaves("i"))
    .get("/", (ctx) => ctx.text("root"))
    .get("/in/:id", (ctx) => ctx.text(ctx.state.trail + ctx.params.id))
    .handler();
  assert.equal(await text(handler, "/base"), "root");
  assert.equal(await text(handler, "/base/in/3"), "i3");
  assert.equal((await get(handler, "/in/3")).status, 404);
});

Deno.test("forwarded headers count only when a proxy is trusted", async () => {
  const headers = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.com:444" };
  const href = async (trustProxy: boolean) => {
    const app = new App<State>({ trustProxy }).get("/", (ctx) => ctx.text(ctx.url.href));
    return await text(app.handler(), "/", { headers });
  };
  assert.equal(await href(true), "https://example.com:444/");
  assert.equal(await href(false), "http://localhost/");
});

Deno.test("a redirect stays on this site, unless it names another", async () => {
  const app = new App<State>();
  const targets = ["//evil.com", "/a//b?c=//d", "https://example.com//x", "/?a=1#b", "/"];
  targets.forEach((target, i) => app.get(`/${i}`, (ctx) => ctx.redirect(target, 303)));
  const handler = app.handler();
  const locations = await Promise.all(
    targets.map(async (_, i) => (await get(handler, `/${i}`)).headers.get("location")),
  );
  assert.deepEqual(locations, [
    "/evil.com",
    "/a/b?c=//d",
    "https://example.com//x",
    "/?a=1#b",
    "/",
  ]);
  assert.equal((await get(handler, "/0")).status, 303);
});

Deno.test("the nearest error route answers, in the layouts of its place", async () => {
  const handler = new App<State>()
    .onError("*", (ctx) => ctx.text(`root: ${(ctx.error as Error).message}`, { status: 503 }))
    .layout("/in", ({ Component }) => <section>{<Component />}</section>)
    .onError("/in", { component: ({ error }) => <b>{(error as Error).message}</b> })
    .get("/in/bug", () => {
      throw new Error("bug");
    })
    .get("/in/denied", () => {
      throw new HttpError(403, "denied");
    })
    .get("/out", () => {
      throw new Error("out");
    })
    .handler();
  const denied = await get(handler, "/in/denied");
  assert.equal(denied.status, 403);
  assert.match(await denied.text(), /<section><b>denied<\/b><\/section>/);
  assert.equal((await get(handler, "/in/bug")).status, 500);
  assert.equal(await text(handler, "/out"), "root: out");
});

Deno.test("notFound answers each 404, thrown or not matched", async () => {
  const handler = new App<State>()
    .notFound((ctx) => ctx.text("nothing here", { status: 404 }))
    .onError("*", (ctx) => ctx.text("error"))
    .get("/thrown", () => {
      throw new HttpError(404);
    })
    .handler();
  assert.equal(await text(handler, "/thrown"), "nothing here");
  assert.equal(await text(handler, "/unmatched"), "nothing here");
});

Deno.test("without an error route, errors are told as text and bugs not at all", async () => {
  const handler = new App<State>()
    .get("/bug", () => {
      throw new Error("secret");
    })
    .get("/denied", () => {
      throw new HttpError(403, "not yours");
    })
    .get("/plain", () => {
      throw new HttpError(403);
    })
    .get("/nothing", () => undefined as unknown as Response)
    .handler();
  using printed = quietConsole();
  assert.equal(await text(handler, "/bug"), "Internal server error");
  assert.equal((await get(handler, "/nothing")).status, 500);
  assert.equal(printed.count(), 2);
  assert.equal(await text(handler, "/denied"), "not yours");
  assert.equal(await text(handler, "/plain"), "Forbidden");
});

Deno.test("a page is rendered in its layouts, and these in the app wrapper", async () => {
  const handler = new App<State>()
    .appWrapper(({ Component, state }) => (
      <html>
        <head />
        <body class={state.trail}>
          <Component />
        </body>
      </html>
    ))
    .use(leaves("a"))
    .layout("*", ({ Component }) => <main>{<Component />}</main>)
    .layout("/bare", ({ Component }) => <i>{<Component />}</i>, { skipInheritedLayouts: true })
    .layout("/async", async ({ Component }) => {
      await Promise.resolve();
      return <u>{<Component />}</u>;
    })
    .get("/", (ctx) => ctx.render(<p>x</p>, { status: 202, headers: { "X-A": "b" } }))
    .get("/bare", (ctx) => ctx.render(<p>x</p>))
    .get("/async", (ctx) => ctx.render(<p>x</p>))
    .get("/alone", (ctx) => ctx.render(<p>x</p>, {}, { skipAppWrapper: true }))
    .handler();
  const start = '<!DOCTYPE html><html><head></head><body class="a">';
  assert.equal(await text(handler, "/"), `${start}<main><p>x</p></main></body></html>`);
  assert.equal(await text(handler, "/bare"), `${start}<i><p>x</p></i></body></html>`);
  assert.equal(await text(handler, "/async"), `${start}<main><u><p>x</p></u></main></body></html>`);
  assert.equal(await text(handler, "/alone"), "<!DOCTYPE html><main><p>x</p></main>");
  const response = await get(handler, "/");
  assert.equal(response.status, 202);
  assert.equal(response.headers.get("X-A"), "b");
  assert.equal(response.headers.get("Content-Type"), "text/html; charset=utf-8");
});

Deno.test("context flows from layouts to pages, but not from the app wrapper", async () => {
  const Place = createContext("nowhere");
  const Show = () => <q>{useContext(Place)}</q>;
  const app = () =>
    new App<State>().appWrapper(({ Component }) => (
      <Place.Provider value="wrapper">
        <Component />
      </Place.Provider>
    ));
  const page = (ctx: Context<State>) => ctx.render(<Show />);
  assert.match(await text(app().get("/", page).handler(), "/"), /<q>nowhere<\/q>/);

  const layout = app().layout("*", ({ Component }) => (
    <Place.Provider value="layout">
      <Component />
    </Place.Provider>
  ));
  assert.match(await text(layout.get("/", page).handler(), "/"), /<q>layout<\/q>/);
});

Deno.test("a page's <Head> goes into the document's, and its title replaces the wrapper's", async () => {
  const handler = new App<State>()
    .appWrapper(({ Component }) => (
      <html>
        <head>
          <title>Wrapper</title>
          <meta name="robots" content="all" />
          <meta name="author" content="Alice" />
        </head>
        <body>
          <Component />
        </body>
      </html>
    ))
    .get("/", (ctx) =>
      ctx.render(
        <>
          <Head>
            <title>Page</title>
            <meta name="robots" content="none" />
            <meta name="description" content="new" />
          </Head>
          <p>x</p>
        </>,
      ))
    .handler();
  assert.equal(
    await text(handler, "/"),
    '<!DOCTYPE html><html><head><title>Page</title><meta name="robots" content="none"/>' +
      '<meta name="author" content="Alice"/><meta name="description" content="new"/></head>' +
      "<body><p>x</p></body></html>",
  );
});

Deno.test("links say whether they lead to this page or above it", async () => {
  const Links = () => (
    <>
      <a href="/a/b">1</a>
      <a href="/a/b/?x=1">2</a>
      <a href="/a">3</a>
      <a href="/">4</a>
      <a href="/a/bc">5</a>
      <a href="http://localhost/a/b">6</a>
      <a href="/a/b" aria-current="step">7</a>
    </>
  );
  const handler = new App<State>().get("/a/b", (ctx) => ctx.render(<Links />)).handler();
  const html = await text(handler, "/a/b?x=2");
  const currents = html.match(/<a [^>]*>/g)!.map((tag) => /aria-current="(\w+)"/.exec(tag)?.[1]);
  assert.deepEqual(currents, ["page", "true", "true", "true", undefined, undefined, "step"]);
});

Deno.test("a route's handler gives data, a status and headers to its component", async () => {
  const handler = new App<State>()
    .route("/", {
      handler: { POST: () => page({ n: 7 }, { status: 201, headers: [["X-N", "7"]] }) },
      component: ({ data }) => <p>{JSON.stringify(data)}</p>,
    })
    .route("/lazy", () => Promise.resolve({ handler: () => new Response("late") }))
    .handler();
  const posted = await get(handler, "/", { method: "POST" });
  assert.equal(posted.status, 201);
  assert.equal(posted.headers.get("X-N"), "7");
  assert.match(await posted.text(), /<p>\{&quot;n&quot;:7}<\/p>/);
  assert.match(await text(handler, "/"), /<p>\{}<\/p>/);
  assert.equal(await text(handler, "/lazy"), "late");
});

Deno.test("an iterable is streamed piece by piece", async () => {
  async function* pieces() {
    yield "é";
    await Promise.resolve();
    yield "!";
  }
  const handler = new App<State>().get("/", (ctx) => ctx.stream(pieces)).handler();
  assert.equal(await text(handler, "/"), "é!");
});

Deno.test("a web socket echoes, and other requests to it are refused", async () => {
  const closed: number[] = [];
  const app = new App<State>().ws("/ws", {
    message: (socket, { data }) => socket.send(`echo ${data}`),
    close: (_, code) => void closed.push(code),
  });
  assert.equal((await get(app.handler(), "/ws")).status, 400);

  await using server = Deno.serve({ port: 0, onListen: () => {} }, app.handler());
  const socket = new WebSocket(`ws://localhost:${(server.addr as Deno.NetAddr).port}/ws`);
  const answer = await new Promise((resolve) => {
    socket.onopen = () => socket.send("hi");
    socket.onmessage = ({ data }) => resolve(data);
  });
  assert.equal(answer, "echo hi");
  await new Promise((resolve) => {
    socket.onclose = resolve;
    socket.close(1000);
  });
  while (closed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(closed, [1000]);
});

Deno.test("a table of 500 rows is rendered in well under 30 ms", async () => {
  const Row = ({ n }: { n: number }) => (
    <tr class={n % 2 ? "odd" : "even"}>
      <td>
        <a href={`/rows/${n}`}>{n}</a>
      </td>
      <td>{`name ${n}`}</td>
      <td>
        <button type="button">Run</button>
      </td>
    </tr>
  );
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const Table = () => <table>{numbers.map((n) => <Row key={n} n={n} />)}</table>;
  const handler = new App<State>().get("/", (ctx) => ctx.render(<Table />)).handler();
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    const start = performance.now();
    await text(handler, "/");
    times.push(performance.now() - start);
  }
  assert.ok(Math.min(...times) < 30, `took ${times.map(Math.round)} ms`);
});
