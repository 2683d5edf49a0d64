import assert from "node:assert/strict";
import { readPath } from "./settings.ts";

const read = (path: string) => readPath({ get: () => path }, "CALLBOARD_DATA", "data");

Deno.test("a path that Ansible would take for several is refused", () => {
  for (const path of ["/srv/a,b", "/srv/a:b", "/srv/a\nb"]) {
    assert.throws(() => read(path), /^ConfigError: CALLBOARD_DATA must be a path without commas/);
  }
  assert.equal(read("/srv/a b/ü"), "/srv/a b/ü");
  assert.ok(read("").endsWith("/data"));
});
