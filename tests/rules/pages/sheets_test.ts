import assert from "node:assert/strict";
import { type FunctionComponent, h } from "preact";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { sheetsOf } from "@/lib/web/pages/sheets.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const ui = { href: (path: string) => `/base${path}` };

/** Returns the names of the style sheets in the head of a page. */
const linkedIn = (html: string) =>
  [.../<head>.*<\/head>/s.exec(html)![0].matchAll(/rel="stylesheet" href="\/(\w+(?:\/\w+)?)\.css/g)]
    .map(([, name]) => name);

Deno.test("a page links the style sheets of what it shows, after the one of all pages", async () => {
  await using world = await newWorld();
  const { id } = world.web;
  const linked = async (path: string) => linkedIn(await (await world.get("alice", path)).text());
  assert.deepEqual(await linked("/account/appearance"), ["styles"]);
  assert.deepEqual(await linked(`/project/${id}/team`), ["styles", "styles/_lists"]);
  assert.deepEqual(await linked(`/project/${id}/keys/new`), ["styles", "styles/keys"]);
  assert.deepEqual(await linked("/nowhere"), ["styles"]);
});

Deno.test("a sheet is needed by pages with all names of one of its rules", () => {
  const needed = (html: string) => sheetsOf(ui, html).map((href) => href.replace(/\?.*/, ""));
  assert.deepEqual(needed(`<p class="text-muted">overview</p>`), []);
  assert.deepEqual(needed(`<p class="mt-2 overview">`), ["/base/styles/projects.css"]);
  // `.key-fields .segments span` is a rule for keys, and segments are in other forms, too.
  assert.deepEqual(needed(`<p class="segments">`), []);
  assert.deepEqual(needed(`<p class="key-fields"><p class="segments">`), ["/base/styles/keys.css"]);
});

Deno.test("elements that are merged into a page come with their style sheets", () => {
  const Row: FunctionComponent = () => h("tr", { class: "palette-row" });
  const Other: FunctionComponent = () => h("p", { class: "hint" });
  const [rows, others] = htmlEvents(ui, [h(Row, null), h(Other, null)]);
  assert.match(
    rows.data!,
    /^<link rel="stylesheet" href="\/base\/styles\/palette\.css\?[^"]+"><tr class="palette-row">/,
  );
  assert.equal(others.data, '<p class="hint"></p>');
});

Deno.test("the palette names its pages and its style sheet to those who may see them", async () => {
  await using world = await newWorld();
  const paletteOf = async (person: "alice" | "erin", path: string) =>
    await (await world.get(person, path)).json();
  const own = await paletteOf("alice", `/project/${world.web.id}/palette`);
  assert.match(own.sheets.join(), /^\/styles\/palette\.css\?/);
  const hrefs = ({ entries }: { entries: { href: string }[] }) => entries.map(({ href }) => href);
  assert.ok(hrefs(own).includes(`/project/${world.web.id}/keys`));
  assert.ok(!hrefs(own).includes("/admin/health"));
  const outside = await paletteOf("erin", "/palette");
  assert.ok(hrefs(outside).includes(`/project/${world.web.id}`));
  assert.ok(hrefs(outside).includes("/admin/health"));
  assert.equal((await world.get("dave", `/project/${world.web.id}/palette`)).status, 404);
  assert.equal((await world.get(null, "/palette")).status, 303);
});
