import assert from "node:assert/strict";
import { templateForm } from "../support/forms.ts";
import { newWorld } from "../support/world.ts";

Deno.test("members whose ignoring would mislead are refused, and blank ones are not", async () => {
  await using world = await newWorld();
  const templates = `/api/project/${world.web.id}/templates`;
  const template = await templateForm(world);
  const refused: [path: string, body: object, field: string, value: unknown, blank: unknown[]][] = [
    [templates, template, "executor_image", "quay.io/ee:1", ["", null]],
    [templates, template, "limit", "web1", ["", null, []]],
    [templates, template, "limit", ["web1"], []],
    ["/api/user/tokens", {}, "scopes", ["projects:read"], [[], null, ""]],
    ["/api/user/tokens", {}, "scopes", "read", []],
    ["/api/user/tokens", {}, "read_only", true, [false, null]],
    ["/api/user/tokens", {}, "project_id", world.web.id, [0, null, ""]],
    ["/api/user/tokens", {}, "project_ids", [world.web.id], [[], null]],
  ];
  for (const [path, body, field, value, blanks] of refused) {
    const { status, body: answer } = await world.api("alice", "POST", path, {
      ...body,
      [field]: value,
    });
    assert.deepEqual([status, Object.keys(answer.fields)], [400, [field]]);
    for (const blank of blanks) {
      const name = `${field} ${JSON.stringify(blank)}`;
      const sent = { ...body, name, [field]: blank };
      const taken = await world.api("alice", "POST", path, sent);
      assert.equal(taken.status, 201, `${name}: ${JSON.stringify(taken.body)}`);
      assert.ok(!(field in taken.body), name);
    }
  }
});

Deno.test("the server says how people sign in, and which git it runs", async () => {
  await using world = await newWorld();
  const { body } = await world.api("bob", "GET", "/api/info");
  assert.deepEqual([body.login_with_password, body.auth_methods, body.git_client], [
    true,
    {},
    "cmd_git",
  ]);
});
