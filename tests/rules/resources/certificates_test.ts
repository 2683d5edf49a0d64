import assert from "node:assert/strict";
import { newPrivateKey, publicKeyOf } from "@/lib/resources/keys/key_pair.ts";
import { keyRows } from "@/lib/resources/keys/repository.ts";
import { openSecret } from "@/lib/resources/keys/secret.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { CERTIFICATE, newSshAuthority } from "@/tests/support/services/ssh_authority.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** The time of certificates that are valid for a day of the world's clock. */
const at = (world: World, days: number) =>
  new Date(world.clock.now().getTime() + days * 86_400_000).toISOString()
    .replaceAll(/[-:T]|\..*/g, "").concat("Z");

async function newStage() {
  const world = await newWorld();
  const directory = await Deno.makeTempDir();
  const authority = await newSshAuthority(directory);
  const privateKey = newPrivateKey("");
  const keys = `/api/project/${world.web.id}/keys`;
  const form = { name: "Deploy", type: "ssh", ssh: { login: "root", private_key: privateKey } };
  return {
    world,
    form,
    keys,
    sign: (days: number, ...options: string[]) =>
      authority.sign(
        publicKeyOf(privateKey)!,
        "-I",
        "deploy@web",
        "-n",
        "root,web",
        "-V",
        `${at(world, days - 30)}:${at(world, days)}`,
        ...options,
      ),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await Deno.remove(directory, { recursive: true });
    },
  };
}

Deno.test("a key is stored with its certificate, which others read and clients keep", async () => {
  await using stage = await newStage();
  const { world, form, keys } = stage;
  const certificate = await stage.sign(5);
  const { status, body } = await world.api("mike", "POST", keys, { ...form, certificate });
  assert.equal(status, 201, JSON.stringify(body));
  const item = `${keys}/${body.id}`;
  const shown = async () => (await world.api("carol", "GET", item)).body;
  assert.equal((await shown()).certificate, certificate);
  const expires = new Date(world.clock.now().getTime() + 5 * 86_400_000).toISOString();
  assert.equal(body.certificate_expires, expires.replace(/\.\d+/, ".000"));
  const row = await keyRows.get(world.kv, world.web.id, body.id);
  const opened = await openSecret(world.deps.secrets, row);
  assert.ok(opened.type === "ssh");
  assert.deepEqual([opened.certificate, opened.name], [certificate, "Deploy"]);

  const put = (body: object) => world.api("mike", "PUT", item, body);
  assert.equal((await put({ name: "Renamed" })).status, 204);
  assert.equal((await shown()).certificate, certificate, "an older client keeps it");
  const fresh = await stage.sign(1);
  assert.equal((await put({ name: "Renamed", certificate: fresh })).status, 204);
  assert.equal((await shown()).certificate, fresh);
  world.clock.advance(2 * 86_400_000);
  assert.equal((await put({ name: "Again", certificate: fresh })).status, 204, "unchanged");
  assert.equal((await put({ name: "Again", certificate: "" })).status, 204);
  assert.deepEqual(
    [(await shown()).certificate, (await shown()).certificate_expires],
    ["", null],
  );
});

Deno.test("a new private key loses the certificate of the former one", async () => {
  await using stage = await newStage();
  const { world, form, keys } = stage;
  const certificate = await stage.sign(5);
  const { body } = await world.api("mike", "POST", keys, { ...form, certificate });
  const item = `${keys}/${body.id}`;
  const replaced = { ...form, override_secret: true, generate: true, certificate };
  assert.equal((await world.api("mike", "PUT", item, replaced)).status, 204);
  assert.equal((await world.api("mike", "GET", item)).body.certificate, "");
});

Deno.test("a certificate that cannot be used is refused with its reason", async () => {
  await using stage = await newStage();
  const { world, form, keys } = stage;
  const cases: [string, RegExp][] = [
    ["ssh-ed25519 AAAA", /not an SSH certificate/],
    [CERTIFICATE.slice(0, -10), /not an SSH certificate/],
    [`${CERTIFICATE}\nmore`, /not an SSH certificate/],
    ["x".repeat(16_385), /too long/],
    [CERTIFICATE, /issued for another key/],
    [await stage.sign(5, "-h"), /host certificate/],
    [await stage.sign(-1), /expired on/],
  ];
  for (const [certificate, reason] of cases) {
    const { status, body } = await world.api("mike", "POST", keys, { ...form, certificate });
    assert.equal(status, 400, certificate);
    assert.match(body.fields.certificate, reason);
  }
});

Deno.test("the pages of keys show what a certificate is for, and when it expires", async () => {
  await using stage = await newStage();
  const { world, form, keys } = stage;
  const list = `/project/${world.web.id}/keys`;
  const cases: [number, RegExp, RegExp][] = [
    [3, /Expires in 3 days/, /Valid until/],
    [1, /Expires in 1 day</, /Valid until/],
    [20, /Deploy/, /Valid until/],
  ];
  for (const [days, chip, validity] of cases) {
    const certificate = await stage.sign(days);
    const { body: { id } } = await world.api("mike", "POST", keys, { ...form, certificate });
    const html = await htmlOf(await world.get("mike", list));
    assert.match(html, chip);
    assert.equal(/Expires in/.test(html), days < 8);
    const page = await htmlOf(await world.get("mike", `${list}/${id}`));
    assert.match(page, validity);
    assert.match(page, /deploy@web/);
    assert.match(page, /root and web|root, web/);
    assert.ok(page.includes(certificate), "in the form");
    if (days === 3) {
      world.clock.advance(4 * 86_400_000);
      assert.match(await htmlOf(await world.get("mike", list)), /Certificate expired/);
      world.clock.advance(-4 * 86_400_000);
    }
    assert.equal((await world.api("mike", "DELETE", `${keys}/${id}`)).status, 204);
  }
});

Deno.test("a key has a signer if its public half is known, and a form removes it", async () => {
  await using world = await newWorld();
  const keys = `/api/project/${world.web.id}/keys`;
  const pair = { name: "Deploy", type: "ssh", generate: true };
  const certificate_source = { type: "command", path: "deploy" };
  const { body } = await world.api("mike", "POST", keys, { ...pair, certificate_source });
  const stored = { storage_id: null, ...certificate_source };
  assert.deepEqual(body.certificate_source, stored);
  const item = `${keys}/${body.id}`;
  const shown = async () => (await world.api("bob", "GET", item)).body.certificate_source;
  assert.equal((await world.api("mike", "PUT", item, { name: "Renamed" })).status, 204);
  assert.deepEqual(await shown(), stored, "an older client keeps it");
  const cases: [object, string][] = [
    [{ certificate_source: { type: "env", path: "CALLBOARD_VALUE_X" } }, "storage_id"],
    [{ certificate_source: { type: "command", path: "" } }, "path"],
    [{ certificate_source, source: { type: "env", path: "CALLBOARD_VALUE_X" } }, "path"],
  ];
  for (const [change, field] of cases) {
    const { status, body } = await world.api("mike", "POST", keys, { ...pair, ...change });
    assert.equal(status, 400, JSON.stringify(change));
    assert.deepEqual(Object.keys(body.fields), [`certificate_source.${field}`]);
  }
  const page = `/project/${world.web.id}/keys/${body.id}`;
  const html = await htmlOf(await world.get("mike", page));
  assert.match(html, /name="certificate_source\.path"[^>]*value="deploy"/);
  const wrong = { "certificate_source.place": "env", "certificate_source.path": "X" };
  const refused = await world.post("mike", page, { name: "Deploy", ...wrong });
  assert.equal(refused.status, 422);
  assert.match(await htmlOf(refused), /place-error"[^>]*>[^<]*cannot sign keys/);
  const form = { name: "Deploy", "certificate_source.place": "" };
  assert.equal((await world.post("mike", page, form)).status, 303);
  assert.equal(await shown(), null);
});
