import assert from "node:assert/strict";
import { readModule, readSources, type Sources } from "@/tests/support/house/sources.ts";

/**
 * The floors of a folder, from the ground up. A room imports rooms of the floors below it, types
 * too, but no other room of its own floor. Files outside any room are the room ".". `lib/fresh/` is
 * not part of the floors.
 */
const FLOORS: Record<string, string[][]> = {
  "lib": [
    ["base"],
    ["http"],
    ["store", "i18n", "execution", "oidc", "ldap"],
    ["model"],
    ["jobs", "runner"],
    ["access"],
    ["events", "references"],
    ["output", "people", "resources", "runners", "approvals", "task_identity"],
    ["connection_tests", "tasks"],
    ["results", "surveys"],
    ["alerts", "audit", "live", "compare", "hosts"],
    ["previews", "approvals", "drift"],
    ["templates"],
    ["queue"],
    ["workflows"],
    ["triggers"],
    ["maintenance", "search"],
    ["uses", "monitoring", "rights"],
    ["web", "client"],
  ],
  // Another kind of run would be a room beside ansible/.
  "lib/execution": [["process", "log"], ["sources"], ["run"], ["ssh"], ["git"], ["ansible"], ["."]],
  "lib/people": [
    ["users"],
    ["throttling", "team", "tokens", "options"],
    ["factors", "passkeys", "identities", "form_drafts", "project_tokens"],
    ["group_rules"],
    ["roles"],
    ["sessions", "accounts"],
    ["sso", "sign_in_links"],
    ["invites"],
  ],
  "lib/resources": [
    ["common"],
    ["secret_storages"],
    ["keys", "repositories", "git_credentials", "inventories", "environments", "known_hosts"],
    ["own_keys"],
    ["toolchains"],
    ["."],
  ],
  "lib/queue": [
    ["leases", "outboxes", "inputs"],
    ["plan", "waiting", "ending"],
    ["approvals", "start"],
    ["running", "again"],
    ["remote"],
    ["dispatch"],
  ],
  // A page or a call of the API begins with the files outside of the rooms: state, cookies, errors.
  "lib/web": [["."], ["forms", "system"], ["pages"], ["api", "server"]],
  // Primitives, then what several rooms show, then lists and pages of one noun each.
  "components": [
    ["ui"],
    [
      ...["access", "approvals", "editor", "group_rules", "palette", "placement"],
      ...["git_credentials", "repositories", "secret_storages", "surveys", "toolchains"],
    ],
    ["keys"],
    ["account", "inventories", "tasks"],
    ["connection_tests", "results", "schedules", "trends"],
    ["compare", "drift", "templates"],
    ["alerts", "workflows"],
    [
      ...[
        "admin",
        "auth",
        "docs",
        "environments",
        "hosts",
        "identities",
        "integrations",
        "preview",
      ],
      ...[
        "projects",
        "queue",
        "resources",
        "runners",
        "search",
        "shell",
        "shortcuts",
        "team",
        "users",
      ],
      "views",
    ],
  ],
};

/** Returns the room of `folder` that contains a file, or null for a file elsewhere. */
const roomOf = (folder: string, file: string) =>
  file.startsWith(`${folder}/`)
    ? /^([^/]+)\//.exec(file.slice(folder.length + 1))?.[1] ?? "."
    : null;

function floorOf(folder: string, room: string): number {
  const floor = FLOORS[folder].findIndex((rooms) => rooms.includes(room));
  assert.notEqual(floor, -1, `${folder}/${room} is on no floor: see FLOORS`);
  return floor;
}

/** Returns the imports, types too, that lead to a room that is not on a lower floor. */
function climbs(sources: Sources): string[] {
  const wrong: string[] = [];
  for (const [file, text] of sources) {
    if (file.startsWith("lib/fresh/") || /_test\.tsx?$/.test(file)) continue;
    for (const { to: target } of readModule(file, text).imports) {
      for (const folder of Object.keys(FLOORS)) {
        const [from, to] = [roomOf(folder, file), roomOf(folder, target)];
        if (!from || !to || to === from || to === "fresh") continue;
        if (floorOf(folder, to) >= floorOf(folder, from)) {
          wrong.push(`${file}: may not climb to ${target}`);
        }
      }
    }
  }
  return wrong;
}

Deno.test("rooms import only rooms of lower floors", async () => {
  assert.deepEqual(climbs(await readSources(/^(lib|components)\//)), []);
});

Deno.test("a climb is one whatever is imported, and however", () => {
  const climbsOf = (text: string, file = "lib/tasks/a.ts") => climbs(new Map([[file, text]]));
  const up = ["lib/tasks/a.ts: may not climb to lib/queue/b.ts"];
  assert.deepEqual(climbsOf('import { b } from "../queue/b.ts";'), up);
  assert.deepEqual(climbsOf('import type { B } from "@/lib/queue/b.ts";'), up);
  assert.deepEqual(climbsOf('export { b } from "../queue/b.ts";'), up);
  assert.deepEqual(climbsOf('const { b } = await import("../queue/b.ts");'), up);
  assert.deepEqual(climbsOf('type B = import("../queue/b.ts").B;'), up);
  assert.deepEqual(climbsOf('// import { b } from "../queue/b.ts";'), []);
  assert.deepEqual(climbsOf('import { b } from "./b.ts";\nimport { c } from "../store/c.ts";'), []);
  assert.deepEqual(climbsOf('import { b } from "../queue/b.ts";', "lib/tasks/a_test.ts"), []);
  const neighbours = 'import { b } from "../people/b.ts";';
  assert.equal(climbsOf(neighbours, "lib/resources/a.ts").length, 1);
  assert.throws(
    () => climbsOf('import { b } from "../attic/b.ts";'),
    /lib\/attic is on no floor/,
  );
});
