import assert from "node:assert/strict";
import { noIsolation } from "../process/isolation.ts";
import { forgetHostKeys, knownHostsFile, readPinnedKeys } from "./known_hosts.ts";

Deno.test("a host's pinned keys are forgotten, in one project only", async () => {
  const dataDir = await Deno.makeTempDir();
  try {
    const sandboxSettings = { dataDir, isolation: noIsolation };
    const files = await Promise.all(
      [1, 2].map((project) => knownHostsFile(sandboxSettings, project)),
    );
    const text = "web ssh-ed25519 AAAA\n[web]:2222 ssh-ed25519 BBBB\nweb,10.0.0.1 ssh-rsa CCCC\n";
    for (const file of files) await Deno.writeTextFile(file, text);
    assert.equal(await forgetHostKeys(dataDir, 1, "web"), true);
    assert.equal(await forgetHostKeys(dataDir, 1, "web"), false);
    assert.equal(await Deno.readTextFile(files[0]!), "[web]:2222 ssh-ed25519 BBBB\n");
    assert.equal(await Deno.readTextFile(files[1]!), text);
    assert.equal((await Array.fromAsync(Deno.readDir(`${dataDir}/known_hosts`))).length, 2);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});

Deno.test("a project whose runs have seen no host has none pinned", async () => {
  const dataDir = await Deno.makeTempDir();
  try {
    assert.deepEqual(await readPinnedKeys(dataDir, 1), []);
    assert.equal(await forgetHostKeys(dataDir, 1, "web"), false);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
