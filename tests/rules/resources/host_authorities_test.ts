import assert from "node:assert/strict";
import { hostAuthorityLines } from "@/lib/resources/known_hosts/authorities.ts";
import { repositoryOf } from "@/lib/resources/run_resources.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { AUTHORITY } from "@/tests/support/services/ssh_authority.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const apiOf = ({ web }: World) => `/api/project/${web.id}/host_authorities`;
const pageOf = ({ web }: World) => `/project/${web.id}/keys/host_authorities`;
/** Fingerprint that `ssh-keygen -l` printed for this key when the test was written. */
const FINGERPRINT = "SHA256:8zpbjVHuIPsf8T9lEdDpMnZ/i5GrB2Z80k7EoYCtAKA";
const LINE = `@cert-authority *.example.com,10.0.* ${AUTHORITY}`;

Deno.test("Mike adds an authority by API, runs trust it, and it is recorded", async () => {
  await using world = await newWorld();
  const form = { hosts: "*.example.com, 10.0.*", public_key: `${AUTHORITY} ca@example.com` };
  const { status, body } = await world.api("mike", "POST", apiOf(world), form);
  assert.equal(status, 201);
  const view = { id: 1, hosts: "*.example.com,10.0.*", public_key: AUTHORITY };
  assert.deepEqual(body, { ...view, fingerprint: FINGERPRINT });
  assert.deepEqual((await world.api("carol", "GET", apiOf(world))).body, [body]);
  assert.deepEqual(await hostAuthorityLines(world.kv, world.web.id), [LINE]);
  const repository = await repositoryOf(world.deps, world.web.id, world.web.repositoryId);
  assert.deepEqual(repository.hostAuthorities, [LINE]);
  const project = (await world.api("mike", "GET", `/api/project/${world.web.id}`)).body;
  assert.equal("host_authorities" in project, false);

  assert.equal((await world.api("mike", "DELETE", `${apiOf(world)}/2`)).status, 404);
  assert.equal((await world.api("mike", "DELETE", `${apiOf(world)}/1`)).status, 204);
  assert.deepEqual((await world.api("mike", "GET", apiOf(world))).body, []);
  const { body: events } = await world.api("mike", "GET", `/api/project/${world.web.id}/events`);
  assert.deepEqual(events[1].changes["host_authorities.1.hosts"], [null, "*.example.com,10.0.*"]);
});

Deno.test("the page adds and deletes authorities, and shows what is wrong with one", async () => {
  await using world = await newWorld();
  const form = { hosts: "web?.example.com", public_key: AUTHORITY };
  assert.equal((await world.post("bob", pageOf(world), form)).status, 403);
  assert.equal((await world.post("mike", pageOf(world), form)).status, 303);
  const wrong = await world.post("mike", pageOf(world), { hosts: "a|b", public_key: "ssh-rsa x" });
  assert.equal(wrong.status, 400);
  const refused = await htmlOf(wrong);
  assert.match(refused, /Enter names of hosts with/);
  assert.match(refused, /not an SSH public key/);
  const html = await htmlOf(await world.get("carol", pageOf(world)));
  assert.ok(html.includes("web?.example.com") && html.includes(FINGERPRINT));
  assert.doesNotMatch(html, /name="public_key"/);
  assert.equal((await world.post("mike", pageOf(world), { remove: "1" })).status, 303);
  assert.match(await htmlOf(await world.get("mike", pageOf(world))), /No host authorities yet/);
});

Deno.test("an authority that ssh could not read is refused, and so is the 21st", async () => {
  await using world = await newWorld();
  const add = (form: object) => world.api("mike", "POST", apiOf(world), form);
  const cases: [object, string][] = [
    [{ public_key: AUTHORITY }, "hosts"],
    [{ hosts: "a b\nc", public_key: AUTHORITY }, "hosts"],
    [{ hosts: "#web", public_key: AUTHORITY }, "hosts"],
    [{ hosts: "@revoked", public_key: AUTHORITY }, "hosts"],
    [{ hosts: "x".repeat(501), public_key: AUTHORITY }, "hosts"],
    [{ hosts: "*", public_key: "ssh-ed25519 AAAA" }, "public_key"],
    [{ hosts: "*", public_key: AUTHORITY.replace("ssh-ed25519", "ssh-rsa") }, "public_key"],
    [{ hosts: "*", public_key: `${AUTHORITY}\n${AUTHORITY}` }, "public_key"],
  ];
  for (const [form, field] of cases) {
    const { status, body } = await add(form);
    assert.equal(status, 400, JSON.stringify(form));
    assert.deepEqual(Object.keys(body.fields), [field], JSON.stringify(body));
  }
  const valid = { hosts: "*", public_key: AUTHORITY };
  for (let n = 0; n < 20; n++) assert.equal((await add(valid)).status, 201);
  assert.match((await add(valid)).body.fields.hosts, /at most 20/);
});
