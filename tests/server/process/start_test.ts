import assert from "node:assert/strict";
import { join } from "node:path";
import {
  installStandIn,
  type RealServerOptions,
  startRealServer,
} from "@/tests/support/server/real_server.ts";

/** A problem with the data folder at the start of a server, and the sentence that it ends with. */
interface Trouble {
  /** Prepares `data` and returns further settings. */
  prepare(home: string, data: string): Promise<Record<string, string> | void>;
  sentence: RegExp;
}

const server = async (home: string, dataDir: string, env: Record<string, string> = {}) => {
  const options: RealServerOptions = {
    dataDir,
    ansibleDir: await installStandIn(join(home, "bin")),
    env,
  };
  return await startRealServer(options);
};

const TROUBLES: Record<string, Trouble> = {
  "a data folder that is a file": {
    prepare: (_, data) => Deno.writeTextFile(data, ""),
    sentence: /The data folder .* cannot be used: it is a file/,
  },
  "a data folder below a file": {
    prepare: async (home) => {
      await Deno.writeTextFile(join(home, "file"), "");
      return { CALLBOARD_DATA: join(home, "file/data") };
    },
    sentence: /The data folder .* cannot be used: it or one of its parent folders is a file/,
  },
  "a damaged store": {
    prepare: async (_, data) => {
      await Deno.mkdir(data);
      await Deno.writeFile(join(data, "callboard.kv"), new Uint8Array(20_000).fill(7));
    },
    sentence:
      /The store .* cannot be opened: it is damaged, or not a store\. .*: deno task restore --from/,
  },
  "a store whose folder is missing": {
    prepare: (home) => Promise.resolve({ CALLBOARD_KV: join(home, "missing/store.kv") }),
    sentence: /The store .* cannot be opened: its folder is missing/,
  },
  "a lost secret key": {
    prepare: async (home, data) => {
      const first = await server(home, data);
      await first.end("SIGTERM");
      await Deno.remove(join(data, "secret.key"));
    },
    sentence: /The secret key of this store is missing: .* task secret-key accept/,
  },
  "another secret key": {
    prepare: async (home, data) => {
      const first = await server(home, data);
      await first.end("SIGTERM");
      return { CALLBOARD_SECRET_KEY: btoa("x".repeat(32)) };
    },
    sentence: /The secret key does not match .* task secret-key accept/,
  },
  "an empty data folder beside automatic backups": {
    prepare: async (home, data) => {
      const backups = join(home, "backups");
      const env = {
        CALLBOARD_BACKUP_AT: "0 3 * * *",
        CALLBOARD_BACKUP_TO: backups,
        CALLBOARD_BACKUP_PASSPHRASE: "a long enough passphrase",
      };
      const first = await server(home, data, env);
      await first.end("SIGTERM");
      await Deno.rename(data, `${data}.gone`);
      await Deno.writeTextFile(join(backups, "callboard-20260301T030000Z-1a2b3c4d.age"), "");
      return env;
    },
    sentence:
      /store \S+ does not exist, but .* restore --from \S+-1a2b3c4d\.age\. .*NEW_STORE=true/,
  },
  "a port that is taken": {
    prepare: (_, __) => Promise.resolve({ CALLBOARD_PORT: String(taken.addr.port) }),
    sentence: /Port \d+ is already in use: choose another with CALLBOARD_PORT/,
  },
  "an address of another machine": {
    prepare: () => Promise.resolve({ CALLBOARD_HOST: "192.0.2.1" }),
    sentence: /Cannot listen on 192\.0\.2\.1, port 0/,
  },
  "an isolation that does not work": {
    prepare: async (home) => {
      const broken = join(home, "bin", "bwrap");
      await installStandIn(join(home, "bin"));
      // A sandbox that starts the command and protects nothing.
      const script = '#!/bin/sh\nuntil [ "$1" = -- ]; do shift; done\nshift\nexec "$@"\n';
      await Deno.writeTextFile(broken, script, { mode: 0o755 });
      return { CALLBOARD_TASK_ISOLATION: "bwrap" };
    },
    sentence: /CALLBOARD_TASK_ISOLATION=bwrap does not work here: tasks can read/,
  },
  "an account that is not there": {
    prepare: () =>
      Promise.resolve({ CALLBOARD_TASK_ISOLATION: "user", CALLBOARD_TASK_USER: "no-such-account" }),
    sentence: /The account in CALLBOARD_TASK_USER does not exist: no-such-account/,
  },
};

const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });

for (const [what, { prepare, sentence }] of Object.entries(TROUBLES)) {
  Deno.test(`${what} is reported in a sentence, without a stack`, async () => {
    const home = await Deno.makeTempDir({ prefix: "callboard_start_" });
    try {
      const data = join(home, "data");
      const env = await prepare(home, data) ?? {};
      const error = await server(home, env.CALLBOARD_DATA ?? data, env).then(
        async (started) => {
          await started.end("SIGTERM");
          return new Error("it started");
        },
        (error: Error) => error,
      );
      assert.match(error.message, sentence);
      assert.match(error.message, /ended with code 1\b/);
      assert.doesNotMatch(error.message, /"stack"|^\s+at /m);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
}

Deno.test("files that others could read are private after a start", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_start_" });
  try {
    const data = join(home, "data");
    const files = ["callboard.kv", "secret.key", "server.lock"];
    await (await server(home, data)).end("SIGTERM");
    await Deno.chmod(data, 0o755);
    for (const name of files) await Deno.chmod(join(data, name), 0o644);
    const started = await server(home, data);
    const open: string[] = [];
    for await (const { name } of Deno.readDir(data)) {
      const { mode } = await Deno.stat(join(data, name));
      if (mode! & 0o077) open.push(`${name} ${(mode! & 0o777).toString(8)}`);
    }
    assert.deepEqual(open, []);
    assert.equal((await Deno.stat(data)).mode! & 0o777, 0o700);
    await started.end("SIGTERM");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
