import assert from "node:assert/strict";
import { posix } from "node:path";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/**
 * Folders of tests by what a test costs, the cheapest first. A test may use what is cheaper than
 * its folder.
 *
 * - `rules` has the application in memory, and stand-ins of other servers in the same process.
 * - `server` starts servers, runners and commands, or runs tasks with the stand-in for Ansible.
 * - `real` starts other programs: Ansible, sshd, directories, proxies.
 * - `browser` starts Chromium.
 */
const COSTS = ["rules", "server", "real", "browser"];

/** These are folders by subject: races and kills, rules for all of the code, and packages. */
const SUBJECTS = ["house", "packages", "races"];

/** Rooms of `tests/support/`, and the first folder of tests that may use each. */
const ROOMS: Record<string, string> = { server: "server", programs: "real", browser: "browser" };

/** A process other than of short programs, which create keys, certificates and repositories. */
const STARTS = /new Deno\.Command\((?!"(?:git|openssl|python3|ssh-keygen)")/;

const FILES_MAX = 40;

/** Returns the cheapest folder for a test: that of the dearest file that it loads. */
function cheapestFolder(test: string, sources: Sources): string {
  const loaded = new Set([test]);
  // Files that are added meanwhile are visited, too.
  for (const file of loaded) {
    for (const { to, isType } of readModule(file, sources.get(file)!).imports) {
      if (!isType && sources.has(to)) loaded.add(to);
    }
  }
  const costs = [...loaded].map((file) => COSTS.indexOf(folderFor(file, sources.get(file)!)));
  return COSTS[Math.max(...costs)];
}

function folderFor(file: string, text: string): string {
  const room = /^tests\/support\/(\w+)\//.exec(file)?.[1] ?? "";
  const starts = file.startsWith("tests/") && STARTS.test(text);
  return ROOMS[room] ?? (starts ? "server" : "rules");
}

/** Returns the tests that are in a folder for cheaper ones, or start nothing that theirs is for. */
function misplaced(sources: Sources): string[] {
  return [...sources.keys()].flatMap((file) => {
    if (!/_test\.tsx?$/.test(file)) return [];
    // A test beside the code is as cheap as a rule.
    const folder = /^tests\/(\w+)\//.exec(file)?.[1] ?? "rules";
    if (SUBJECTS.includes(folder)) return [];
    const cheapest = cheapestFolder(file, sources);
    // Programs are also started by the application, or by a test itself.
    const fits = folder === "real"
      ? COSTS.indexOf(cheapest) <= COSTS.indexOf(folder)
      : cheapest === folder;
    return fits ? [] : [`${file} belongs in ${cheapest}`];
  });
}

Deno.test("a test is in the folder that says what it costs", async () => {
  assert.deepEqual(misplaced(await readSources(/^tests\/|_test\.tsx?$/)), []);
});

Deno.test("folders of tests have a known kind, and their root has no test", async () => {
  for (const file of (await readSources(/^tests\//)).keys()) {
    const [, kind] = posix.dirname(file).split("/");
    assert.ok([...COSTS, ...SUBJECTS, "support"].includes(kind), file);
  }
});

Deno.test("each folder has at most 40 files", async () => {
  const counts = new Map<string, number>();
  for await (const file of walk(ROOT, /^(?!dist\/|runner-data\/)/)) {
    const folder = posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  assert.ok(counts.has("lib/base") && counts.has("docs/decisions"));
  assert.deepEqual([...counts].filter(([, count]) => count > FILES_MAX), []);
});

Deno.test("a misplaced test is found, whatever starts a process", () => {
  const placesOf = (file: string, text: string) =>
    misplaced(
      new Map([
        ["tests/support/server/a.ts", ""],
        ["tests/support/programs/b.ts", 'import "../server/a.ts";'],
        ["tests/support/browser/c.ts", ""],
        ["tests/support/world/d.ts", 'import type { A } from "../server/a.ts";'],
        [file, text],
      ]),
    );
  const moves: [from: string, text: string, to: string | null][] = [
    ["rules", 'import { a } from "@/tests/support/server/a.ts";', "server"],
    ["rules", "new Deno.Command(Deno.execPath());", "server"],
    ["rules", 'new Deno.Command("git");', null],
    ["server", 'import { b } from "../../support/programs/b.ts";', "real"],
    ["real", 'import { c } from "../../support/browser/c.ts";', "browser"],
    ["server", 'import { d } from "../../support/world/d.ts";', "rules"],
    ["browser", 'import { a } from "../../support/server/a.ts";', "server"],
    ["rules", 'import { d } from "../../support/world/d.ts";', null],
    ["real", 'import { a } from "../../support/server/a.ts";', null],
    ["races", 'import { a } from "../../support/server/a.ts";', null],
    ["../lib", 'import { a } from "@/tests/support/server/a.ts";', "server"],
  ];
  for (const [from, text, to] of moves) {
    const file = posix.join("tests", from, "nouns", "x_test.ts");
    assert.deepEqual(placesOf(file, text), to ? [`${file} belongs in ${to}`] : [], text);
  }
});
