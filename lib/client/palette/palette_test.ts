import assert from "node:assert/strict";
import type { Entry, PaletteProps } from "@/components/palette/entries.ts";
import { until } from "@/tests/support/basics/until.ts";
import { createPalette } from "./palette.ts";

const entry = (name: string): Entry => ({ name, icon: "keys", href: `/${name}` });

/**
 * Creates a palette with three pages, and a search that finds a template of the typed name, or for
 * "flow" a workflow.
 */
function newPalette({ search = true } = {}) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const name = new URL(url).searchParams.get("q")!;
    const hits = name === "nothing" ? [] : [{ id: 1, name, page: `/found/${name}` }];
    return Response.json({ groups: [{ kind: name === "flow" ? "workflows" : "templates", hits }] });
  });
  const texts = new Proxy({}, { get: (_, key) => `${String(key)} {{number}}{{query}}` });
  const props: PaletteProps = {
    sheets: [],
    projectId: 1,
    search: search ? { page: "/search", api: `http://127.0.0.1:${server.addr.port}` } : null,
    basePath: "",
    mayRun: true,
    entries: ["keys", "team", "tasks"].map(entry),
    texts,
  };
  const opened: string[] = [];
  const palette = createPalette(
    props,
    ({ href, run }, way) => opened.push({ here: href, new_tab: `+${href}`, run: run ?? href }[way]),
  );
  const close = palette.open();
  const end = async () => {
    close();
    await server.shutdown();
  };
  return { palette, opened, end };
}

Deno.test("a palette opens the chosen row, and says how many match the typed text", async () => {
  const { palette, opened, end } = newPalette();
  try {
    palette.choose(1, "new_tab");
    palette.type("t");
    assert.equal(palette.announcement.value, "", "the answer is pending");
    await until(() => !palette.isOld.value);
    assert.equal(palette.announcement.value, "search.found 3{{query}}");
    palette.type("nothing ");
    await until(() => !palette.isOld.value);
    assert.equal(palette.announcement.value, "search.nothing {{number}}nothing");
    assert.deepEqual(opened, ["+/team"]);
  } finally {
    await end();
  }
});

Deno.test("Enter before the answer opens or runs the first row of the answer to the latest text", async () => {
  const { palette, opened, end } = newPalette();
  try {
    palette.type("web");
    palette.choose(0, "here");
    palette.type("shop");
    await until(() => !palette.isOld.value);
    assert.deepEqual(opened, [], "more was typed after Enter");
    palette.type("shops");
    palette.choose(0, "here");
    await until(() => opened.length > 0);
    palette.type("web");
    palette.choose(0, "run");
    await until(() => opened.length > 1);
    assert.deepEqual(opened, ["/found/shops", "/project/1/templates/1/tasks"]);
  } finally {
    await end();
  }
});

Deno.test("a palette without a search finds its own pages, and opens nothing without a match", async () => {
  const { palette, opened, end } = newPalette({ search: false });
  try {
    palette.type("tea");
    assert.equal(palette.announcement.value, "search.found 1{{query}}");
    palette.choose(0, "here");
    assert.deepEqual(opened, ["/team"]);
    palette.type("nowhere");
    assert.equal(palette.announcement.value, "search.nothing {{number}}nowhere");
    palette.choose(0, "here");
    assert.deepEqual(opened, ["/team"]);
  } finally {
    await end();
  }
});

Deno.test("Shift+Enter starts a workflow that was found", async () => {
  const { palette, opened, end } = newPalette();
  try {
    palette.type("flow");
    await until(() => !palette.isOld.value);
    palette.choose(0, "run");
    assert.deepEqual(opened, ["/project/1/workflows/1/run"]);
  } finally {
    await end();
  }
});
