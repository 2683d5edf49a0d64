import denoJson from "./deno.json" with { type: "json" };
import { createPasswords } from "./lib/access/passwords.ts";
import { createSecretBox, loadSecretKey } from "./lib/access/secret_box.ts";
import { createApp } from "./lib/app.ts";
import { readConfig } from "./lib/config.ts";
import { lockDataFolder } from "./lib/data_lock.ts";
import type { Deps } from "./lib/deps.ts";
import { findAnsible } from "./lib/execution/ansible_installation.ts";
import { recoverLeftovers } from "./lib/execution/recover.ts";
import { runEnvironment } from "./lib/execution/run_environment.ts";
import { createHub } from "./lib/live/hub.ts";
import { describeError, stderrLog as log } from "./lib/log.ts";
import { startDispatcher } from "./lib/tasks/dispatcher.ts";

const config = readConfig(Deno.env, denoJson.version);
await Deno.mkdir(config.dataDir, { recursive: true, mode: 0o700 });
const lock = await lockDataFolder(config.dataDir);
const kv = await Deno.openKv(config.kv);
const ansible = await findAnsible(config.dataDir);
const secretKey = await loadSecretKey(Deno.env.get("CALLBOARD_SECRET_KEY"), config.dataDir);

const deps: Deps = {
  kv,
  clock: { now: () => new Date() },
  config,
  log,
  secrets: await createSecretBox(secretKey),
  passwords: createPasswords(),
  hub: createHub((error) => log("error", "listener_failed", describeError(error))),
  wakeDispatcher: () => dispatcher.wake(),
  ansibleVersion: ansible?.version ?? null,
};

await recoverLeftovers(config.dataDir);

const dispatcher = startDispatcher(deps, {
  environment: runEnvironment(config, ansible, Deno.env),
  shared: /^https?:/.test(config.kv),
  onEnd: () => Promise.resolve(),
});

/** What the build serves. */
export const app = createApp(deps);

/** What the process around the app needs to know, and how it is ended. */
export const server = {
  config,
  log,
  ansibleVersion: deps.ansibleVersion,
  /** Takes on no more work, lets what runs come to its end for a while, and closes the store. */
  async stop() {
    await dispatcher.stop(config.drainMs);
    kv.close();
    lock.close();
  },
};
