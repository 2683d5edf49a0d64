import { join } from "node:path";
import * as z from "zod";
import { explain } from "../../base/data_folder.ts";
import { isFileLocked, lockForServer } from "../../base/data_lock.ts";
import { conceal, reveal, type Secret } from "../../base/secret.ts";
import { ConfigError } from "../../base/settings.ts";
import { registerAnswerSchema, type RunnerFacts } from "../protocol.ts";
import { newRunnerKeys } from "../seal.ts";
import { connect, failureOf, serverAddress } from "./connection.ts";
import type { RunnerConfig } from "./settings.ts";

const LOCK = "runner.lock";
const REGISTER_MS = 30_000;

const storedSchema = z.object({
  server: z.url(),
  runner_id: z.int().positive(),
  name: z.string(),
  token: z.string().min(1),
  private_key: z.object({ kty: z.string(), crv: z.string(), x: z.string(), d: z.string() }),
});

/** How a runner is known to its server, whose configured address has precedence. */
export interface Registration {
  /** Address of the server without a slash at its end. */
  server: string;
  runnerId: number;
  name: string;
  token: Secret;
  privateKey: JsonWebKey;
}

type Folder = Pick<RunnerConfig, "dataDir" | "kv">;

/** Reads the registration in the runner's folder; null if there is none. Throws ConfigError. */
export async function readRegistration(
  { kv: path, url }: Pick<RunnerConfig, "kv" | "url">,
): Promise<Registration | null> {
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw new ConfigError(`The file ${path} cannot be read: ${explain(error)}`);
  });
  if (text === null) return null;
  const stored = storedSchema.safeParse(jsonOf(text)).data;
  if (!stored) {
    throw new ConfigError(`The file ${path} is damaged. Remove it, and register the runner again`);
  }
  const { runner_id: runnerId, name, token, private_key: privateKey } = stored;
  const server = url ? serverAddress(url) : stored.server;
  return { server, runnerId, name, token: conceal(token), privateKey };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Registers this runner with a server, and stores how. Throws ConfigError with the reason if the
 * server cannot be reached, or does not accept the token.
 */
export async function register(
  config: RunnerConfig,
  url: URL,
  token: Secret,
  facts: RunnerFacts,
): Promise<Registration> {
  const known = await readRegistration(config);
  if (known) {
    throw new ConfigError(
      `This folder already belongs to the runner "${known.name}" of ${known.server}. ` +
        `To register it again, remove ${config.kv}`,
    );
  }
  const server = serverAddress(url);
  const { publicKey, privateKey } = await newRunnerKeys();
  const request = {
    token: reveal(token, "server"),
    public_key: publicKey,
    name: config.name,
    facts,
  };
  const connection = connect({ server, token: null, caCerts: config.caCerts });
  const answer = await connection.post(
    "/api/runner/register",
    JSON.stringify(request),
    registerAnswerSchema,
    { limitMs: REGISTER_MS },
  ).catch((error) => {
    throw new ConfigError(`${server} did not register the runner: ${failureOf(error)}`);
  }).finally(connection.close);
  const { kty, crv, x, d } = privateKey;
  await store(config, { server, ...answer, private_key: { kty, crv, x, d } });
  return (await readRegistration(config))!;
}

/** Writes a file of its own first, so that a full disk leaves no half of it. */
async function store({ kv: path }: Folder, stored: unknown): Promise<void> {
  const text = JSON.stringify(stored, null, 2) + "\n";
  await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
  await Deno.rename(`${path}.new`, path);
}

/** Makes this process the only one on a runner's folder. Throws ConfigError if there is another. */
export const lockRunner = ({ dataDir }: Folder): Promise<Deno.FsFile> =>
  lockForServer(join(dataDir, LOCK), `Another process runs tasks in the folder ${dataDir}`);

/** Whether a process runs in a runner's folder. */
export const isRunnerLocked = ({ dataDir }: Folder): Promise<boolean> =>
  isFileLocked(join(dataDir, LOCK));
