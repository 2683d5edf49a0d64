import assert from "node:assert/strict";
import { ADMIN_PAGES } from "@/components/palette/admin_pages.ts";
import "@/components/ui/all_icons.ts";
import { ICONS } from "@/components/ui/icons.ts";
import { KIND_ICONS } from "@/lib/client/palette/kind_icons.ts";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/** Names of a thing on the server, in the search and in a project, if they differ. */
const SAME: Record<string, string> = {
  users: "team",
  environments: "environment",
  inventories: "inventory",
};

/** Returns the keys that share a value with another key. */
function sharing(pairs: Iterable<readonly [key: string, value: string]>): string[][] {
  const byValue = new Map<string, Set<string>>();
  for (const [key, value] of pairs) {
    byValue.set(value, (byValue.get(value) ?? new Set()).add(SAME[key] ?? key));
  }
  return [...byValue.values()].filter(({ size }) => size > 1).map((keys) => [...keys].toSorted());
}

Deno.test("each icon has a drawing of its own", () => {
  assert.deepEqual(sharing(Object.entries(ICONS)), []);
});

/** Files with icons, which name each one at the beginning of a line. */
const DRAWINGS = /^components\/ui\/(all_icons|icons|icons_of_heads)\.ts$/;

/** Returns the icons that an island may draw, and those that it has the drawings of. */
function iconsOf(sources: Sources, island: string): { drawn: Set<string>; known: Set<string> } {
  const files = new Set([island]);
  const [drawn, known] = [new Set<string>(), new Set<string>()];
  for (const file of files) {
    const text = sources.get(file) ?? "";
    if (DRAWINGS.test(file)) {
      for (const [, name] of text.matchAll(/^ {2}(\w+): "M/gm)) known.add(name);
      continue;
    }
    const { imports } = readModule(file, text);
    for (const { to, isType, isLater } of imports) if (!isType && !isLater) files.add(to);
    for (const [, name] of text.matchAll(/(?:\bicon(?:=|: )|<Icon name=)"(\w+)"/g)) drawn.add(name);
    if (!/\bIconName\b/.test(text)) continue;
    for (const [, name] of text.matchAll(/"(\w+)"/g)) if (name in ICONS) drawn.add(name);
  }
  return { drawn, known };
}

Deno.test("an island has the drawings of its icons, and no page loads others", async () => {
  const sources = await readSources(/^(components|islands|lib|routes)\/.*(?<!_test)\.tsx?$/);
  const islands = [...sources.keys()].filter((file) => /^islands\/|\/\(_islands\)\//.test(file));
  const all = islands.map((island) => ({ island, ...iconsOf(sources, island) }));
  const lacks = all.map(({ island, drawn, known }) => [island, [...drawn.difference(known)]]);
  assert.deepEqual(lacks.filter(([, names]) => names.length > 0), []);
  const drawn = new Set(all.flatMap(({ drawn }) => [...drawn]));
  const known = new Set(all.flatMap(({ known }) => [...known]));
  assert.deepEqual([...known.difference(drawn)], [], "no island draws them");
  assert.ok(drawn.size > 20, [...drawn].join());
});

Deno.test("a page has the same icon everywhere, and no other page has it", async () => {
  const sources = await readSources(/^components\/(shell\/Sections\.tsx|palette\/entries\.ts)$/);
  const sections = [...sources.values()].flatMap((text) => [
    ...text.matchAll(/section: "(\w+)", icon: "(\w+)"/g),
    ...text.matchAll(/^ {2}\["(\w+)", "(\w+)", "/gm),
  ]);
  assert.ok(sections.length > 20, "the sections are found");
  const pages = [
    ...sections.map(([, section, icon]) => [section, icon] as const),
    ...ADMIN_PAGES.map(({ name, icon }) =>
      [/^(?:sections|dashboard|admin)\.(\w+)$/.exec(name)?.[1] ?? name.split(".")[0], icon] as const
    ),
    ...Object.entries(KIND_ICONS),
  ];
  assert.deepEqual(sharing(pages), []);
  assert.deepEqual(sharing(new Map(pages.map(([page, icon]) => [icon, SAME[page] ?? page]))), []);
});

Deno.test("things that share a value are found, unless they are the same", () => {
  assert.deepEqual(sharing([["keys", "a"], ["locks", "a"], ["users", "b"], ["team", "b"]]), [
    ["keys", "locks"],
  ]);
});
