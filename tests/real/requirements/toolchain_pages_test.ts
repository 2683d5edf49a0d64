import assert from "node:assert/strict";
import { join } from "node:path";
import { STAND_IN } from "@/tests/support/server/run_bench.ts";
import { until } from "@/tests/support/basics/until.ts";
import { withSharedPip } from "@/tests/support/programs/shared_pip.ts";
import { makeWheels } from "@/tests/support/services/wheels.ts";
import { addPasswordKey, addSshKey } from "@/tests/support/world/forms.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import { silentMirror } from "@/tests/support/services/silent_mirror.ts";
import { readStream } from "@/tests/support/basics/read_stream.ts";
import { conceal } from "@/lib/base/secret.ts";
import { endBuilds } from "@/lib/resources/toolchains/builds.ts";

const GALAXY = "https://galaxy.example.com/api/";
const OLD = { name: "RHEL 8", ansible_core: "2.14", pip: "netaddr\n", collections: "" };

Deno.test("a template's toolchain wins over the inventory's and the project's", async () => {
  await using world = await newWorld();
  const { web } = world;
  const base = `/api/project/${web.id}`;
  const make = async (name: string) =>
    (await world.api("mike", "POST", `${base}/toolchains`, { ...OLD, name })).body.id as number;
  const [ofTemplate, ofInventory, ofProject] = [await make("A"), await make("B"), await make("C")];
  const put = async (path: string, change: object) => {
    const { body } = await world.api("alice", "GET", path);
    const { status } = await world.api("alice", "PUT", path, { ...body, ...change });
    assert.equal(status, 204, path);
  };
  const template = `${base}/templates/${web.templateId}`;
  const inventory = `${base}/inventory/${web.inventoryId}`;
  const chosen = async () => {
    const { body } = await world.api("bob", "POST", `${base}/tasks`, {
      template_id: web.templateId,
    });
    const { value } = await world.kv.get<{ toolchain_id?: number }>(["tasks", web.id, body.id]);
    return value?.toolchain_id;
  };
  assert.equal(await chosen(), undefined);
  await put(base, { toolchain_id: ofProject });
  assert.equal(await chosen(), ofProject);
  await put(inventory, { toolchain_id: ofInventory });
  assert.equal(await chosen(), ofInventory);
  await put(template, { toolchain_id: ofTemplate });
  assert.equal(await chosen(), ofTemplate);
  // A client that does not know the member changes nothing.
  await put(template, { toolchain_id: undefined });
  assert.equal(await chosen(), ofTemplate);
  for (const id of [ofTemplate, ofInventory, ofProject]) {
    assert.equal((await world.api("mike", "DELETE", `${base}/toolchains/${id}`)).status, 409);
  }
  const uses = await world.api("mike", "GET", `${base}/toolchains/${ofTemplate}/refs`);
  assert.deepEqual(uses.body.templates.map(({ id }: { id: number }) => id), [web.templateId]);
  await put(template, { toolchain_id: null });
  await put(base, { toolchain_id: 0 });
  for (const id of [ofTemplate, ofProject]) {
    assert.equal((await world.api("mike", "DELETE", `${base}/toolchains/${id}`)).status, 204);
  }
  const wrong = await world.api("alice", "PUT", base, { name: "Web", toolchain_id: 999 });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.fields)], [404, ["toolchain_id"]]);
});

Deno.test("toolchains of the server can be chosen in projects, and stay while they are", async () => {
  await using world = await newWorld();
  const { web } = world;
  const path = "/api/toolchains";
  const make = async (body: object) => (await world.api("erin", "POST", path, body)).body.id;
  const first = await make({ ...OLD, is_default: true });
  const second = await make({ ...OLD, name: "Second" });
  const template = `/api/project/${web.id}/templates/${web.templateId}`;
  const { body } = await world.api("alice", "GET", template);
  const choose = async (toolchain_id: number | null) =>
    (await world.api("alice", "PUT", template, { ...body, toolchain_id })).status;
  assert.equal(await choose(second), 204);
  const drop = async (id: number) => (await world.api("erin", "DELETE", `${path}/${id}`)).status;
  assert.deepEqual([await drop(first), await drop(second)], [409, 409]);
  const { body: rows } = await world.api("erin", "GET", path);
  assert.deepEqual(
    rows.map(({ name, is_default }: Record<string, unknown>) => [name, is_default]),
    [["RHEL 8", true], ["Second", false]],
  );
  const other = await world.api("alice", "GET", `/api/project/${web.id}/toolchains/${second}`);
  assert.equal(other.status, 404);
  const own = await world.api("mike", "POST", `/api/project/${web.id}/toolchains`, OLD);
  const { body: listed } = await world.api("bob", "GET", `/api/project/${web.id}/toolchains`);
  assert.deepEqual(
    listed.map(({ id, project_id }: Record<string, unknown>) => [id, project_id]),
    [[own.body.id, web.id], [first, null], [second, null]],
  );
  const page = await (await world.get("mike", `/project/${web.id}/toolchains`)).text();
  assert.match(page, /Toolchains of the server.*Second/s);
  assert.doesNotMatch(page, new RegExp(`toolchains/${second}`));
  assert.equal(await choose(null), 204);
  const start = await world.api("bob", "POST", `/api/project/${web.id}/tasks`, {
    template_id: web.templateId,
  });
  const { value } = await world.kv.get<Record<string, unknown>>(["tasks", web.id, start.body.id]);
  assert.equal(value?.toolchain_id, first);
  const plain = { ...OLD, is_default: false };
  assert.equal((await world.api("erin", "PUT", `${path}/${first}`, plain)).status, 204);
  assert.deepEqual([await drop(first), await drop(second)], [204, 204]);
});

Deno.test("wrong lines are named by their fields", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/toolchains`;
  const refused = async (body: object) => {
    const { status, body: answer } = await world.api("mike", "POST", path, { name: "X", ...body });
    assert.equal(status, 400);
    return Object.keys(answer.fields);
  };
  assert.deepEqual(await refused({}), ["ansible_core"]);
  assert.deepEqual(await refused({ ansible_core: "new" }), ["ansible_core"]);
  assert.deepEqual(await refused({ pip: "--index-url https://example.com" }), ["pip"]);
  assert.deepEqual(await refused({ ansible_core: "2.16", collections: "../x" }), ["collections"]);
  assert.deepEqual(await refused({ ansible_core: "2.16", python: "2.7.1" }), ["python"]);
  assert.deepEqual(await refused({ kind: "path" }), ["path"]);
  assert.deepEqual(await refused({ kind: "path", path: "opt" }), ["path"]);
  const core = { ansible_core: "2.16", galaxy_url: GALAXY };
  const login = { ...core, galaxy_url: "https://me:password@example.com" };
  assert.deepEqual(await refused(login), ["galaxy_url"]);
  const galaxy_key_id = await addSshKey(world);
  assert.deepEqual(await refused({ ...core, galaxy_key_id }), ["galaxy_key_id"]);
  assert.deepEqual(await refused({ ...core, galaxy_url: "", galaxy_key_id }), ["galaxy_url"]);
});

Deno.test("the pages list, change and delete toolchains without a script", async () => {
  await using world = await newWorld();
  const pages = `/project/${world.web.id}/toolchains`;
  const made = await world.post("mike", `${pages}/new`, { ...OLD, kind: "built" });
  assert.equal(made.status, 303);
  const list = await (await world.get("bob", pages)).text();
  assert.match(list, /RHEL 8/);
  assert.match(list, /Not built/);
  const { body: [{ id }] } = await world.api("bob", "GET", `/api${pages}`);
  const form = await (await world.get("mike", `${pages}/${id}`)).text();
  assert.match(form, /value="2\.14"/);
  assert.equal((await world.get("bob", `${pages}/${id}`)).status, 403);
  assert.equal((await world.post("mike", `${pages}/${id}/delete`, {})).status, 303);
});

Deno.test("admins manage the server's toolchains on pages without a script", async () => {
  await using world = await newWorld();
  const { web } = world;
  const pages = "/admin/toolchains";
  const html = async (path: string) => await (await world.get("erin", path)).text();
  assert.match(await html(pages), /No toolchains yet/);
  const fields = { ...OLD, kind: "built" };
  const save = async (path: string, change: Record<string, string>) =>
    (await world.post("erin", `${pages}${path}`, { ...fields, ...change })).status;
  assert.equal(await save("/new", { name: "" }), 422);
  assert.equal(await save("/new", { is_default: "true" }), 303);
  const { body: [{ id }] } = await world.api("erin", "GET", "/api/toolchains");
  assert.match(await html(pages), /RHEL 8.*Default of the server/s);
  assert.match(await html(`${pages}/${id}`), /name="is_default"[^>]*checked/);
  assert.match(await html(`${pages}/${id}/delete`), /Do you really want to delete/);
  const refused = await world.post("erin", `${pages}/${id}/delete`, {});
  assert.deepEqual(
    [refused.status, /Choose another one/.test(await refused.text())],
    [409, true],
  );
  assert.equal(await save(`/${id}`, { name: "Old" }), 303);
  const project = `/api/project/${web.id}`;
  for (const path of [project, `${project}/templates/${web.templateId}`]) {
    const { body } = await world.api("alice", "GET", path);
    const put = await world.api("alice", "PUT", path, { ...body, toolchain_id: id });
    assert.equal(put.status, 204, path);
  }
  const uses = await html(`${pages}/${id}/uses`);
  assert.match(uses, new RegExp(`href="/project/${web.id}/settings"`));
  assert.match(uses, new RegExp(`href="/project/${web.id}/templates/${web.templateId}"`));
  assert.match(await html(pages), new RegExp(`href="${pages}/${id}/uses"[^>]*>Web shop`));
  assert.match(await html(`${pages}/${id}/delete`), /Can(&#39;|')t delete/);
  for (const path of ["", "/new", `/${id}`, `/${id}/uses`, `/${id}/delete`, `/${id}/build`]) {
    assert.equal((await world.get("alice", pages + path)).status, 404, path);
  }
  assert.equal((await world.post("alice", `${pages}/${id}/build`, {})).status, 404);
  const { body: unused } = await world.api("erin", "POST", "/api/toolchains", OLD);
  assert.equal((await world.post("erin", `${pages}/${unused.id}/delete`, {})).status, 303);
  assert.doesNotMatch(await html(pages), /RHEL 8/);
});

/** Lets builds use wheels of this machine. */
async function withWheels(world: World, script = STAND_IN) {
  const { environment } = world.deps;
  const wheels = join(environment.dataDir, "wheels");
  await makeWheels(wheels, ["2.16.14"], script);
  environment.packages.wheels = wheels;
  environment.path = await withSharedPip(join(world.folder, "python"), environment.path);
}

const BUILDS = [
  { of: "a project", people: ["mike", "bob"], base: "/project/1/toolchains" },
  { of: "the server", people: ["erin", "erin"], base: "/toolchains" },
] as const;
for (const { of, people: [builder, reader], base } of BUILDS) {
  Deno.test(`a build of ${of} in advance has a state and a log, which its page shows`, async () => {
    await using world = await newWorld();
    await withWheels(world);
    const pages = of === "the server" ? `/admin${base}` : base;
    const build = async (pip: string) => {
      const { body: { id } } = await world.api(builder, "POST", `/api${base}`, {
        name: "Old",
        ansible_core: "2.16",
        pip,
      });
      const page = `${pages}/${id}/build`;
      assert.match(await (await world.get(builder, page)).text(), /Build now/);
      assert.notEqual((await world.post("dave", page, {})).status, 303);
      assert.equal((await world.post(builder, page, {})).status, 303);
      const news = readStream((await world.get(reader, `${page}/events`)).body!);
      await news.end();
      const answer = async () => (await world.api(reader, "GET", `/api${base}/${id}/build`)).body;
      await until(async () => (await answer()).state !== "building");
      return { ...await answer(), page: await (await world.get(reader, page)).text() };
    };
    const good = await build("more");
    assert.deepEqual([good.state, good.reason], ["ready", null], good.log);
    assert.match(good.log, /^Building the toolchain Old with /m);
    assert.match(good.page, /Successfully installed|Installed/);
    assert.equal(/Build now/.test(good.page), builder === reader);
    const bad = await build("no-such-package");
    assert.equal(bad.state, "failed");
    assert.match(bad.reason, /could not be built: .*no-such-package/s);
    const list = await (await world.get(reader, pages)).text();
    assert.match(list, /Ready: core 2\.16\.14/);
    assert.match(list, /Failed/);
  });
}

Deno.test("a key of the project has the token of a Galaxy server, or the place of it", async () => {
  await using world = await newWorld();
  const { web, deps } = world;
  const galaxy = join(world.folder, "galaxy.sh");
  await Deno.writeTextFile(
    galaxy,
    `for name in URL TOKEN; do eval "echo $name=\\$ANSIBLE_GALAXY_SERVER_CALLBOARD_$name;"; done`,
  );
  await withWheels(world, galaxy);
  deps.environment.sources = { ...deps.environment.sources, value: () => "marlin" };
  const base = `/api/project/${web.id}`;
  const make = async (path: string, body: object) =>
    (await world.api("mike", "POST", `${base}/${path}`, body)).body.id as number;
  const keys = {
    swordfish: await addPasswordKey(world),
    marlin: await make("keys", {
      name: "Elsewhere",
      type: "login_password",
      source: { type: "env", path: "CALLBOARD_VALUE_GALAXY" },
    }),
  };
  for (const [token, galaxy_key_id] of Object.entries(keys)) {
    const lines = { ...OLD, ansible_core: "2.16", pip: "more", collections: `a.${token}` };
    const id = await make("toolchains", { ...lines, galaxy_url: GALAXY, galaxy_key_id });
    const path = `${base}/toolchains/${id}`;
    await world.api("mike", "POST", `${path}/build`);
    const build = async () => (await world.api("bob", "GET", `${path}/build`)).body;
    await until(async () => (await build()).state !== "building");
    const { state, log, reason } = await build();
    assert.equal(state, "ready", reason);
    assert.match(log, new RegExp(`^URL=${GALAXY}$`, "m"));
    assert.match(log, /^TOKEN=\*+$/m);
    assert.doesNotMatch(log, new RegExp(token));
    const page = `/project/${web.id}/toolchains/${id}`;
    const form = await (await world.get("mike", page)).text();
    assert.match(form, new RegExp(`<option value="${galaxy_key_id}" selected`));
    const key = `${base}/keys/${galaxy_key_id}`;
    const change = { name: "Deploy", type: "ssh", generate: true, override_secret: true };
    assert.equal((await world.api("mike", "PUT", key, change)).status, 409);
  }
});

Deno.test("a build ends with its server, and can be repeated", async () => {
  await using world = await newWorld();
  await using mirror = silentMirror();
  world.deps.environment.packages.wheels = conceal(mirror.url);
  const { build, id } = await newBuild(world);
  await until(async () => /Building/.test((await build()).log));
  const row = await world.kv.get(["toolchain_builds", world.web.id, id]);
  await endBuilds(world.deps);
  const { state, reason } = await build();
  assert.deepEqual([state, /server stopped/.test(reason)], ["failed", true], reason);
  // As it was, with its server killed.
  await world.kv.set(["toolchain_builds", world.web.id, id], row.value);
  assert.equal((await build()).state, "building");
  const page = `/project/${world.web.id}/toolchains/${id}/build`;
  const news = readStream((await world.get("bob", `${page}/events`)).body!);
  await news.until(/Building/);
  world.clock.advance(11_000);
  await news.until(/server stopped/);
  await news.end();
  assert.match((await build()).reason, /server stopped/);
  assert.match(await (await world.get("mike", page)).text(), /Build now/);
});

/** Creates a toolchain, and starts its build. */
async function newBuild(world: World) {
  const base = `/api/project/${world.web.id}/toolchains`;
  const { body: { id } } = await world.api("mike", "POST", base, OLD);
  const path = `${base}/${id}/build`;
  assert.equal((await world.api("mike", "POST", path)).status, 204);
  return { id, build: async () => (await world.api("bob", "GET", path)).body };
}
