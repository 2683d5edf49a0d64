import assert from "node:assert/strict";
import { join } from "node:path";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { decodeKey } from "@/lib/access/secret_keys.ts";
import { reveal } from "@/lib/base/secret.ts";
import { rowKeys } from "@/lib/kv/keys.ts";
import { openStore } from "@/lib/kv/open_store.ts";
import type { KeyRow } from "@/lib/resources/keys/schema.ts";
import { installStandIn, startRealServer } from "../support/real_server.ts";

/** Runs `deno task secret-key` and returns what it prints. */
async function secretKey(dataDir: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "secret-key", ...args],
    env: { CALLBOARD_DATA: dataDir },
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

const KEYS = Array.from({ length: 100 }, (_, n) => n);

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

Deno.test("the key is changed while the server runs, also one that is killed meanwhile", async () => {
  const home = await Deno.makeTempDir();
  try {
    const dataDir = join(home, "data");
    const previous = join(dataDir, "secret.key.previous");
    const options = { dataDir, ansibleDir: await installStandIn(join(home, "bin")) };
    const first = await startRealServer(options);
    const project = (await first.api("POST", "/api/projects", { name: "Keys" })).body.id;
    for (const n of KEYS) {
      const login_password = { login: "root", password: `word ${n}` };
      const key = { name: `Key ${n}`, type: "login_password", login_password };
      assert.equal((await first.api("POST", `/api/project/${project}/keys`, key)).status, 201);
    }
    await first.end("SIGTERM");
    const before = await Deno.readTextFile(join(dataDir, "secret.key"));
    assert.match(await secretKey(dataDir, "rotate"), /Restart the server/);
    assert.notEqual(await Deno.readTextFile(join(dataDir, "secret.key")), before);
    assert.equal(await Deno.readTextFile(previous), before);
    assert.equal((await Deno.stat(previous)).mode! & 0o777, 0o600);
    assert.match(await secretKey(dataDir, "rotate"), /is already being changed/);

    const killed = await startRealServer(options);
    await killed.end("SIGKILL");
    const last = await startRealServer(options);
    try {
      while (await exists(previous)) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.match(last.output(), /secret_key_rotated/);
      const status = await secretKey(dataDir, "status");
      assert.match(status, /Nothing in this store needs the previous key/);
    } finally {
      await last.end("SIGTERM");
    }
    const key = decodeKey(await Deno.readTextFile(join(dataDir, "secret.key")), "secret.key");
    const box = await createSecretBox(key);
    using kv = await openStore(join(dataDir, "callboard.kv"));
    const keys = kv.list<KeyRow>({ prefix: rowKeys.resources("keys", project) });
    const rows = await Array.fromAsync(keys, ({ value }) => value);
    const words = await Promise.all(
      rows.filter(({ secret }) => secret).map(async ({ secret }) =>
        JSON.parse(reveal(await box.open(secret!), "show")).password
      ),
    );
    assert.deepEqual(words, KEYS.map((n) => `word ${n}`));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
