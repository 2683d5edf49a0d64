import assert from "node:assert/strict";
import { ADMIN_PAGES } from "@/components/palette/admin_pages.ts";
import { ICONS } from "@/components/ui/icons.ts";
import { KIND_ICONS } from "@/lib/client/palette/kind_icons.ts";
import { readSources } from "@/tests/support/house/sources.ts";

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
