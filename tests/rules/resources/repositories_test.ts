import assert from "node:assert/strict";
import { join } from "node:path";
import { repositoryDirectory } from "@/lib/execution/git/mirror.ts";
import { repositoryForm } from "@/tests/support/world/forms.ts";
import { repositoryRows } from "@/lib/resources/repositories/repository.ts";
import { openUrl } from "@/lib/resources/repositories/sealed_url.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { revealed } from "@/tests/support/basics/revealed.ts";

const pathOf = ({ web }: World) => `/api/project/${web.id}/repositories`;

Deno.test("Mike adds a repository, and it is answered alike everywhere", async () => {
  await using world = await newWorld();
  const created = await world.api("mike", "POST", pathOf(world), repositoryForm(world));
  assert.equal(created.status, 201);
  const { id, ...fields } = created.body;
  assert.deepEqual(fields, { ...repositoryForm(world), git_depth: 1, project_id: world.web.id });

  const one = await world.api("carol", "GET", `${pathOf(world)}/${id}`);
  assert.deepEqual(one.body, created.body);
  const list = await world.api("carol", "GET", `${pathOf(world)}?sort=name&order=desc`);
  assert.deepEqual(list.body.map(({ name }: { name: string }) => name), ["Roles", "Playbooks"]);
  assert.deepEqual(list.body[0], created.body);
});

Deno.test("a branch is needed unless the repository is a local folder", async () => {
  await using world = await newWorld();
  const post = (fields: Record<string, unknown>) =>
    world.api("mike", "POST", pathOf(world), repositoryForm(world, fields));
  const missing = await post({ git_branch: "" });
  assert.equal(missing.status, 400);
  assert.deepEqual(missing.body.fields, { git_branch: "This is required." });
  assert.equal((await post({ git_branch: "-x" })).status, 400);
  assert.equal((await post({ git_branch: null, git_url: "/srv/plays" })).body.git_branch, "");
});

Deno.test("a URL that cannot be right is refused with a sentence", async () => {
  await using world = await newWorld();
  const fieldsOf = async (git_url: unknown) => {
    const sent = repositoryForm(world, { git_url });
    const { status, body } = await world.api("mike", "POST", pathOf(world), sent);
    assert.equal(status, 400);
    return body.fields.git_url;
  };
  assert.equal(await fieldsOf("ftp://example.com/x"), "Incorrect URL");
  assert.equal(await fieldsOf("ext::sh -c id"), "Incorrect URL");
  assert.match(await fieldsOf("ssh://me:secret@example.com/x"), /Choose a key/);
  assert.equal(await fieldsOf(""), "This is required.");
  assert.ok(await fieldsOf(7));
});

Deno.test("a key of another project is not there", async () => {
  await using world = await newWorld();
  const foreign = repositoryForm(world, { ssh_key_id: world.lab.keyId });
  const created = await world.api("mike", "POST", pathOf(world), foreign);
  assert.equal(created.status, 404);
  assert.deepEqual(Object.keys(created.body.fields), ["ssh_key_id"]);
  const item = `${pathOf(world)}/${world.web.repositoryId}`;
  assert.equal((await world.api("mike", "PUT", item, foreign)).status, 404);
});

Deno.test("deleting a repository drops its working copies", async () => {
  await using world = await newWorld();
  const { body } = await world.api("mike", "POST", pathOf(world), repositoryForm(world));
  const item = `${pathOf(world)}/${body.id}`;
  const { dataDir } = world.deps.config;
  const copy = repositoryDirectory(dataDir, world.web.id, body.id);
  await Deno.mkdir(join(copy, "objects"), { recursive: true });
  await world.api("mike", "PUT", item, repositoryForm(world, { git_url: "/srv/other" }));
  assert.ok((await Deno.stat(copy)).isDirectory, "a run may be reading it");

  assert.equal((await world.api("mike", "DELETE", item)).status, 204);
  await assert.rejects(Deno.stat(copy), Deno.errors.NotFound);
  assert.equal((await world.api("mike", "GET", item)).status, 404);
});

Deno.test("ids come from the path: another one in the body is a mistake", async () => {
  await using world = await newWorld();
  const item = `${pathOf(world)}/${world.web.repositoryId}`;
  const put = (fields: Record<string, unknown>) =>
    world.api("mike", "PUT", item, repositoryForm(world, fields));
  assert.equal((await put({ id: 999 })).status, 400);
  assert.equal((await put({ project_id: world.lab.id })).status, 400);
  assert.equal((await put({ id: world.web.repositoryId, project_id: world.web.id })).status, 204);
  assert.equal((await world.api("mike", "GET", `${pathOf(world)}/x`)).status, 400);
});

Deno.test("login and password of a URL are for git alone: no one is answered them", async () => {
  await using world = await newWorld({ config: { usersCreateProjects: true } });
  const path = pathOf(world);
  const TOKEN = "ghp_t0ken4u";
  const post = (change: Record<string, unknown>) =>
    world.api("mike", "POST", path, repositoryForm(world, change));
  const { status, body: made } = await post({ git_url: `https://${TOKEN}@git.example.com/x.git` });
  assert.equal(status, 201);
  assert.equal(made.git_url, "https://***@git.example.com/x.git");
  const item = `${path}/${made.id}`;

  const put = async (change: object) =>
    await world.api("mike", "PUT", item, { ...made, ...change });
  const runUrl = async () => {
    const row = await repositoryRows.get(world.kv, world.web.id, made.id);
    return revealed(await openUrl(world.deps.secrets, row));
  };
  assert.equal((await put({ name: "Renamed" })).status, 204);
  assert.equal(await runUrl(), `https://${TOKEN}@git.example.com/x.git`);
  assert.equal((await put({ git_url: "https://***@git.example.com/y.git" })).status, 204);
  assert.equal(await runUrl(), `https://${TOKEN}@git.example.com/y.git`);
  const elsewhere = [
    "https://***@evil.example.com/x",
    "http://***@git.example.com:8443/x",
    "https://***@git.example.com:8443/x",
  ];
  for (const git_url of elsewhere) {
    const { status, body } = await put({ git_url });
    assert.equal(status, 400, git_url);
    assert.ok(body.fields.git_url);
  }
  assert.equal((await post({ git_url: "https://***@git.example.com/x.git" })).status, 400);
  assert.equal(await runUrl(), `https://${TOKEN}@git.example.com/y.git`);

  const { body: file } = await world.api("alice", "GET", `/api/project/${world.web.id}/backup`);
  const seen = [
    JSON.stringify([file, (await world.api("carol", "GET", path)).body]),
    JSON.stringify((await world.api("carol", "GET", item)).body),
    await (await world.get("carol", `/project/${world.web.id}/repositories`)).text(),
    await (await world.get("mike", `/project/${world.web.id}/repositories/${made.id}`)).text(),
  ];
  for await (const { value } of world.kv.list({ prefix: [] })) seen.push(Deno.inspect(value));
  assert.doesNotMatch(seen.join(), /ghp_/);
  assert.match(seen[3], /stored encrypted/);
  assert.ok(JSON.stringify(file).includes('"https://git.example.com/y.git"'));

  file.repositories.find(({ name }: { name: string }) => name === made.name).git_url =
    `https://${TOKEN}@git.example.com/z.git`;
  file.meta.name = "Restored";
  const restored = await world.api("alice", "POST", "/api/projects/restore", file);
  assert.ok(restored.status < 300, JSON.stringify(restored.body));
  const rows = await repositoryRows.list(world.kv, restored.body.id);
  const row = rows.find(({ name }) => name === made.name)!;
  assert.equal(row.git_url, "https://***@git.example.com/z.git");
  assert.equal(
    revealed(await openUrl(world.deps.secrets, row)),
    `https://${TOKEN}@git.example.com/z.git`,
  );
  // The placeholder of this API has no meaning in another project.
  file.repositories.find(({ name }: { name: string }) => name === made.name).git_url = made.git_url;
  const again = await world.api("alice", "POST", "/api/projects/restore", file);
  assert.ok(again.status < 300, JSON.stringify(again.body));
  const [, copy] = await repositoryRows.list(world.kv, again.body.id);
  assert.equal(copy.git_url, "https://git.example.com/x.git");

  assert.equal((await put({ git_url: "https://git.example.com/x.git" })).status, 204);
  assert.equal(await runUrl(), "https://git.example.com/x.git");
  assert.equal((await put({ git_url: "https://me:pass@git.example.com/x.git" })).status, 204);
  assert.equal(await runUrl(), "https://me:pass@git.example.com/x.git");
});
