import assert from "node:assert/strict";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { App, type Context, HttpError, page, type PageProps } from "./mod.ts";
import { propsText } from "./render.ts";
import { Head } from "./runtime.ts";
import { serve } from "./testdata/serve.ts";

type Props = PageProps<unknown, unknown>;
const textOf = async (response: Promise<Response>) => await (await response).text();

const Document = ({ Component }: Props) => (
  <html>
    <head>
      <title>Wrapper</title>
      <meta name="author" content="Alice" />
    </head>
    <body>
      <Component />
    </body>
  </html>
);
const START = '<!DOCTYPE html><html><head><title>Wrapper</title><meta name="author" ' +
  'content="Alice"/></head><body>';

Deno.test("a page is rendered inside its layouts, and these inside the app wrapper", async () => {
  const get = serve({
    "_app": { default: Document },
    "_layout": { default: ({ Component }: Props) => <main>{<Component />}</main> },
    "async/_layout": {
      default: async ({ Component }: Props) => {
        await Promise.resolve();
        return <u>{<Component />}</u>;
      },
    },
    "async/index": { default: () => <p>x</p> },
    "index": {
      handler: (ctx: Context<unknown>) =>
        ctx.render(<p>x</p>, { status: 202, headers: { "X-A": "b" } }),
    },
  });
  assert.equal(await textOf(get("/async")), `${START}<main><u><p>x</p></u></main></body></html>`);
  const response = await get("/");
  assert.equal(response.status, 202);
  assert.equal(response.headers.get("X-A"), "b");
  assert.equal(response.headers.get("Content-Type"), "text/html; charset=utf-8");
  assert.equal(await response.text(), `${START}<main><p>x</p></main></body></html>`);
});

Deno.test("a handler passes data, status and headers to its component; GET needs no handler", async () => {
  const get = serve({
    index: {
      handler: { POST: () => page({ n: 7 }, { status: 201, headers: [["X-N", "7"]] }) },
      default: ({ data }: Props) => <p>{JSON.stringify(data)}</p>,
    },
  });
  const posted = await get("/", { method: "POST" });
  assert.equal(posted.status, 201);
  assert.equal(posted.headers.get("X-N"), "7");
  assert.match(await posted.text(), /<p>\{&quot;n&quot;:7}<\/p>/);
  assert.match(await textOf(get("/")), /<p>\{}<\/p>/);
});

Deno.test("a page of a mounted app is inside the layouts of its path", async () => {
  const app = new App<unknown>().route("/:id", () =>
    Promise.resolve({
      handler: ({ params }) => page(params.id),
      component: ({ data }: Props) => <p>{String(data)}</p>,
    }));
  const get = serve({
    "_layout": { default: ({ Component }: Props) => <main>{<Component />}</main> },
    "in/[id]/_layout": { default: ({ Component }: Props) => <i>{<Component />}</i> },
  }, { apps: { "/in": app, "/out": app } });
  assert.equal(await textOf(get("/in/1")), "<!DOCTYPE html><main><i><p>1</p></i></main>");
  assert.equal(await textOf(get("/out/2")), "<!DOCTYPE html><main><p>2</p></main>");
});

Deno.test("an error page has its own status and the layouts of its folder", async () => {
  const get = serve({
    "_layout": { default: ({ Component }: Props) => <main>{<Component />}</main> },
    "_error": { default: ({ error }: Props) => <b>{(error as Error).message}</b> },
    "in/_layout": { default: ({ Component }: Props) => <i>{<Component />}</i> },
    "in/denied": {
      default() {
        throw new HttpError(403, "denied");
      },
    },
  });
  const denied = await get("/in/denied");
  assert.equal(denied.status, 403);
  assert.equal(await denied.text(), "<!DOCTYPE html><main><b>denied</b></main>");
});

Deno.test("context flows from layouts to pages, but not from the app wrapper", async () => {
  const Place = createContext("nowhere");
  const around = (value: string) => ({
    default: ({ Component }: Props) => (
      <Place.Provider value={value}>
        <Component />
      </Place.Provider>
    ),
  });
  const index = { default: () => <q>{useContext(Place)}</q> };
  const wrapped = { _app: around("wrapper"), index };
  assert.match(await textOf(serve(wrapped)("/")), /<q>nowhere<\/q>/);
  const layout = { ...wrapped, _layout: around("layout") };
  assert.match(await textOf(serve(layout)("/")), /<q>layout<\/q>/);
});

Deno.test("a page's title replaces the document's, and <Head> accepts nothing else", async () => {
  const inHead = (children: Parameters<typeof Head>[0]["children"]) =>
    serve({
      "_app": { default: Document },
      "_error": { default: ({ error }: Props) => <b>{(error as Error).message}</b> },
      "index": { default: () => <Head>{children}</Head> },
    })("/").then((response) => response.text());
  assert.match(
    await inHead(<title>Page</title>),
    /<head><meta name="author" content="Alice"\/><title>Page<\/title><\/head>/,
  );
  assert.match(await inHead(<meta name="robots" content="none" />), /one &lt;title> alone/);
  assert.match(
    await inHead([<title key={1}>1</title>, <title key={2}>2</title>]),
    /one &lt;title> alone/,
  );
});

Deno.test("links are marked if they lead to the current page or to one above it", async () => {
  const Links = () => (
    <>
      <a href="/a/b">1</a>
      <a href="/a/b?x=1">2</a>
      <a href="/a">3</a>
      <a href="/">4</a>
      <a href="/a/bc">5</a>
      <a href="http://localhost/a/b">6</a>
      <a href="/a/b" aria-current="step">7</a>
    </>
  );
  const html = await textOf(serve({ "a/b": { default: Links } })("/a/b?x=2"));
  const currents = html.match(/<a [^>]*>/g)!.map((tag) => /aria-current="(\w+)"/.exec(tag)?.[1]);
  assert.deepEqual(currents, ["page", "true", "true", "true", undefined, undefined, "step"]);
});

Deno.test("islands need a script at the end of <body>, so the page must have a <body>", async () => {
  const Island = ({ label }: { label: string }) => <em>{label}</em>;
  const islands = new Map([[Island, { exportName: "default", file: "/Island.js" }]]);
  const modules = {
    "_error": { default: ({ error }: Props) => <b>{(error as Error).message}</b> },
    "index": { default: () => <Island label="</script>" /> },
  };
  assert.match(await textOf(serve(modules, { islands })("/")), /<b>A page with islands needs a/);
  const html = await textOf(serve({ ...modules, _app: { default: Document } }, { islands })("/"));
  assert.match(html, /<!--frsh:island:0--><em>&lt;\/script><\/em><!--\/frsh:island-->/);
  assert.match(html, /<script type="module" nonce="\w+">import\{boot}from"\/client.js";.*<\/body>/);
  assert.equal(html.match(/<\/script>/g)?.length, 1);
});

Deno.test("an island's props are plain, and other values are refused by name", () => {
  for (const value of [new Date(), 2n, NaN, () => {}, new Map(), Symbol("x")]) {
    assert.throws(() => propsText([{ list: [{ value }] }]), /"value" is not/);
  }
  assert.throws(() => propsText([{ list: ["a", undefined] }]), /"1" is not/);
  const props = {
    text: "</script>\u2028\0\ud800",
    list: [1, null, { a: true }],
    missing: undefined,
  };
  assert.deepEqual(JSON.parse(propsText([props])), [{ ...JSON.parse(JSON.stringify(props)) }]);
});
