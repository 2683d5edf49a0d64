import { join } from "node:path";
import * as z from "zod";
import { isLoopback } from "../../base/loopback.ts";
import { explain } from "../../base/machine/data_folder.ts";
import { isFileLocked, lockForServer } from "../../base/machine/data_lock.ts";
import { replaceFile } from "../../base/machine/replace_file.ts";
import { conceal, reveal, type Secret } from "../../base/secret.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import { registerAnswerSchema, type RunnerFacts } from "../protocol.ts";
import { newRunnerKeys } from "../seal.ts";
import { connect, failureOf, serverAddress } from "./connection.ts";
import type { RunnerConfig } from "./settings.ts";

const LOCK = "runner.lock";
const REGISTER_MS = 30_000;

/** The key pair of a registration that the server may have accepted. */
const PENDING_KEY = "registration-key.json";

const keySchema = z.object({ kty: z.string(), crv: z.string(), x: z.string(), d: z.string() });
const storedSchema = z.object({
  server: z.url(),
  runner_id: z.int().positive(),
  name: z.string(),
  token: z.string().min(1),
  /** Time when the token was issued. */
  issued: z.iso.datetime(),
  private_key: keySchema,
});

/** A runner's account on its server. A configured address has precedence over the stored one. */
export interface Registration {
  /** Address of the server without a slash at its end. */
  server: string;
  runnerId: number;
  name: string;
  token: Secret;
  /** Time when the token was issued, in milliseconds. */
  issued: number;
  privateKey: JsonWebKey;
}

type Folder = Pick<RunnerConfig, "dataDir" | "kv">;

/** Reads the registration in the runner's folder; null if there is none. Throws ConfigError. */
export async function readRegistration(
  { kv: path, url }: Pick<RunnerConfig, "kv" | "url">,
): Promise<Registration | null> {
  const stored = await readStored(path, storedSchema);
  if (!stored) return null;
  const { runner_id: runnerId, name, token, private_key: privateKey } = stored;
  const server = url ? serverAddress(url) : stored.server;
  const issued = Date.parse(stored.issued);
  return { server, runnerId, name, token: conceal(token), issued, privateKey };
}

/** Returns the content of a file; null if there is none. Throws ConfigError. */
async function readStored<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await Deno.readTextFile(path).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return null;
    throw new ConfigError(`The file ${path} cannot be read: ${explain(error)}`);
  });
  if (text === null) return null;
  const stored = schema.safeParse(jsonOf(text)).data;
  if (stored) return stored;
  throw new ConfigError(`The file ${path} is damaged. Remove it, and register the runner again`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Registers this runner with a server, and stores its account there. Throws ConfigError with the
 * reason if the server cannot be reached, or does not accept the token. Only with `mayReplace`, an
 * earlier registration is replaced.
 */
export async function register(
  config: RunnerConfig,
  url: URL,
  token: Secret,
  facts: RunnerFacts,
  mayReplace = false,
): Promise<Registration> {
  const known = await readRegistration(config);
  if (known && !mayReplace) {
    throw new ConfigError(
      `This folder already belongs to the runner "${known.name}" of ${known.server}. ` +
        `To register it again, remove ${config.kv}`,
    );
  }
  requireEncryption(config, url);
  const server = serverAddress(url);
  const pendingKey = join(config.dataDir, PENDING_KEY);
  const privateKey = await pendingPrivateKey(pendingKey);
  const request = {
    token: reveal(token, "server"),
    // `x` is the raw public key (RFC 8037).
    public_key: privateKey.x,
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
  const issued = new Date().toISOString();
  await store(config.kv, { server, ...answer, issued, private_key: privateKey });
  await Deno.remove(pendingKey);
  return (await readRegistration(config))!;
}

/** Throws ConfigError if others could read the runner's token on its way to the server. */
function requireEncryption({ allowsHttp }: RunnerConfig, { protocol, hostname }: URL): void {
  if (protocol === "https:" || isLoopback(hostname) || allowsHttp) return;
  throw new ConfigError(
    "The address must begin with https: otherwise others can read the runner's token. " +
      "Set CALLBOARD_RUNNER_INSECURE=true to register without encryption",
  );
}

/**
 * Returns the key with which a registration is tried. It is stored before, because the server
 * repeats an answer that was lost only for the same key.
 */
async function pendingPrivateKey(path: string): Promise<z.output<typeof keySchema>> {
  const known = await readStored(path, keySchema);
  if (known) return known;
  const created = keySchema.parse((await newRunnerKeys()).privateKey);
  await store(path, created);
  return created;
}

/** Stores a token that replaces the one of the registration. */
export async function keepToken({ kv: path }: Folder, token: Secret): Promise<void> {
  const stored = await readStored(path, storedSchema);
  if (!stored) throw new Error(`The file ${path} is missing`);
  const issued = new Date().toISOString();
  await store(path, { ...stored, token: reveal(token, "server"), issued });
}

const store = (path: string, stored: unknown): Promise<void> =>
  replaceFile(path, JSON.stringify(stored, null, 2) + "\n");

/** Makes this process the only one on a runner's folder. Throws ConfigError if there is another. */
export const lockRunner = ({ dataDir }: Folder): Promise<Deno.FsFile> =>
  lockForServer(join(dataDir, LOCK), `Another process runs tasks in the folder ${dataDir}`);

/** Whether a process runs in a runner's folder. */
export const isRunnerLocked = ({ dataDir }: Folder): Promise<boolean> =>
  isFileLocked(join(dataDir, LOCK));
