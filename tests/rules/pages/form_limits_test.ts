import assert from "node:assert/strict";
import { newWorld } from "@/tests/support/world/world.ts";

/** Forms with a name, and what else a new object needs. */
const FORMS: [page: string, sent?: Record<string, string>][] = [
  ["keys/new", { type: "none" }],
  ["repositories/new", { git_url: "/srv/plays", git_branch: "main" }],
  ["inventory/new", { type: "static", inventory: "localhost" }],
  ["environment/new", { json: "{}", env: "{}" }],
  ["workflows/new/edit"],
  ["secret_storages/new", { type: "vault", "params.auth_method": "token" }],
  ["alerts/targets/new?kind=slack", { kind: "slack" }],
];

Deno.test("an error of a field that is not in the form has no name of the API", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/templates/new/edit`;
  const sent = { name: "", playbook: "site.yml", executor_image: "ee", "runner_tags.0": "a" };
  const refused = await world.post("alice", path, sent);
  const html = await refused.text();
  assert.equal(refused.status, 422);
  const [, list] = /<ul class="m-0 pl-5">(.*?)<\/ul>/s.exec(html) ?? [];
  assert.match(list, />Name: This is required\.</);
  assert.doesNotMatch(list, /executor_image|runner_tags/);
});

Deno.test("a text over its limit stays in the form, with the limit beside its field", async () => {
  await using world = await newWorld();
  const long = "a long name ".repeat(100).trim();
  for (const [page, sent] of FORMS) {
    const path = `/project/${world.web.id}/${page}`;
    const form = await (await world.get("alice", path)).text();
    const posted = form.split('<form method="post"').slice(1).join("");
    assert.match(posted, /name="name"/, page);
    assert.doesNotMatch(
      posted.replaceAll(/<input[^>]*type="search"[^>]*>/g, ""),
      /maxlength/i,
      page,
    );
    const refused = await world.post("alice", path.split("?")[0], { ...sent, name: long });
    const html = await refused.text();
    assert.equal(refused.status, 422, page);
    assert.match(html, /-error"[^>]*>This is too long\. The limit is \d+\./, page);
    assert.ok(html.includes(`value="${long}"`), `${page}: the text stays`);
  }
});
