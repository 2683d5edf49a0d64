import assert from "node:assert/strict";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { knownHostsFile } from "@/lib/execution/ssh/known_hosts.ts";
import { htmlOf } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const pathOf = ({ web }: World) => `/project/${web.id}/keys/known_hosts`;

/** Fingerprint that `ssh-keygen -l` printed for this key when the test was written. */
const KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIL7+1+Xa1s/KZTSdEXZLkG0qGKpZ8A2AqDMxDDckFkYl";
const FINGERPRINT = "SHA256:8zpbjVHuIPsf8T9lEdDpMnZ/i5GrB2Z80k7EoYCtAKA";

async function pin(world: World) {
  const grounds = { ...world.deps.config, isolation: noIsolation };
  const file = await knownHostsFile(grounds, world.web.id);
  const hosts = ["[git.example.com]:2222", "web1"];
  await Deno.writeTextFile(file, hosts.map((host) => `${host} ssh-ed25519 ${KEY}\n`).join(""));
}

Deno.test("everyone in the project sees which hosts are pinned, with their fingerprints", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/known_hosts`;
  assert.deepEqual((await world.api("carol", "GET", path)).body, []);
  assert.match(await htmlOf(await world.get("carol", pathOf(world))), /No task has reached a host/);
  await pin(world);
  const keys = [{ type: "ssh-ed25519", fingerprint: FINGERPRINT }];
  const { body } = await world.api("carol", "GET", path);
  assert.deepEqual(body, [{ host: "[git.example.com]:2222", keys }, { host: "web1", keys }]);
  const html = await htmlOf(await world.get("carol", pathOf(world)));
  assert.match(html, /git\.example\.com/);
  assert.doesNotMatch(html, /Forget<\/button>/);
});

Deno.test("Mike forgets a host, by page or API, and an event says who did", async () => {
  await using world = await newWorld();
  await pin(world);
  const list = await htmlOf(await world.get("mike", `/project/${world.web.id}/keys`));
  assert.ok(list.includes(`href="${pathOf(world)}"`));
  const form = { host: "[git.example.com]:2222" };
  assert.equal((await world.post("bob", pathOf(world), form)).status, 403);
  assert.equal((await world.post("mike", pathOf(world), form)).status, 303);
  const path = `/api/project/${world.web.id}/known_hosts`;
  assert.equal((await world.api("mike", "GET", path)).body.length, 1);

  assert.equal((await world.api("mike", "DELETE", `${path}/web1`)).status, 204);
  assert.equal((await world.api("mike", "DELETE", `${path}/web1`)).status, 404);
  const events = await world.api("mike", "GET", `/api/project/${world.web.id}/events`);
  assert.deepEqual(
    events.body.slice(0, 2).map(({ username, description }: Record<string, string>) =>
      `${username}: ${description}`
    ),
    [
      "mike: The pinned keys of host web1 were forgotten",
      "mike: The pinned keys of host [git.example.com]:2222 were forgotten",
    ],
  );
});
