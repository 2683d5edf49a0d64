import assert from "node:assert/strict";
import { outbox } from "@/tests/support/services/alerting.ts";
import { reportCertificates } from "@/lib/alerts/certificate_watch.ts";
import { newPrivateKey, publicKeyOf } from "@/lib/resources/keys/key_pair.ts";
import { newSshAuthority } from "@/tests/support/services/ssh_authority.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

const DAY_MS = 86_400_000;

/** Titles of the notices that are due, with the paths that they lead to. */
const notices = async (world: World) =>
  (await outbox(world)).filter(({ event }) => event === "certificate_expiring");

Deno.test("a certificate that expires within a week is reported once, and a new one anew", async () => {
  await using world = await newWorld();
  const directory = await Deno.makeTempDir();
  try {
    const authority = await newSshAuthority(directory);
    const private_key = newPrivateKey("");
    const sign = (days: number) => {
      const end = new Date(world.clock.now().getTime() + days * DAY_MS).toISOString();
      const until = `${end.replaceAll(/[-:T]|\..*/g, "")}Z`;
      const options = ["-I", "x", "-V", `20200101000000Z:${until}`];
      return authority.sign(publicKeyOf(private_key)!, ...options);
    };
    const keys = `/api/project/${world.web.id}/keys`;
    const { body } = await world.api("mike", "POST", keys, {
      name: "Deploy",
      type: "ssh",
      ssh: { private_key },
      certificate: await sign(8),
    });
    const item = `${keys}/${body.id}`;
    const look = () =>
      Promise.all([reportCertificates(world.deps), reportCertificates(world.deps)]);
    await look();
    assert.equal((await notices(world)).length, 0, "in eight days");

    world.clock.advance(1.5 * DAY_MS);
    const before = await world.get("mike", item);
    await look();
    await look();
    const [notice, ...others] = await notices(world);
    assert.equal(notice.path, `/project/${world.web.id}/keys/${body.id}`);
    assert.equal(others.length, 0);
    const after = await world.get("mike", item);
    assert.equal(after.headers.get("etag"), before.headers.get("etag"), "open forms still save");

    const put = (form: object) => world.api("mike", "PUT", item, { name: "Deploy", ...form });
    assert.equal((await put({ name: "Renamed" })).status, 204);
    await look();
    assert.equal((await notices(world)).length, 1, "the same certificate");
    assert.equal((await put({ certificate: await sign(5) })).status, 204);
    await look();
    assert.equal((await notices(world)).length, 2, "a new certificate");
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
