import { unlessAborted } from "../../base/time/abort.ts";
import { sleep } from "../../base/time/pause.ts";
import { sourceError, Unavailable } from "./errors.ts";
import type { OpenSource, SourceMachine, SourceValues } from "./kind.ts";
import type { PlanStorage } from "./plan_storage.ts";
import { sourceKinds } from "./kinds.ts";
import type { Lease } from "./lease_store.ts";
import { revokeLease, revokeLeftOver } from "./leases.ts";
import type { SecretReference, Signing } from "./reference.ts";

/** A run, or a connection test, that needs secrets. */
export interface Reading {
  projectId: number;
  stop: AbortSignal;
  /** Once aborted, `close` waits for no storage. What was issued is ended later. */
  forceStop?: AbortSignal;
  /** Called once for each storage that the run waits for. */
  onWait?(storage: PlanStorage, why: string): void | Promise<void>;
}

/** Reads secrets for one run, each path once. */
interface SecretReader {
  /** Throws AppError with the storage, the path and the reason. */
  text(reference: SecretReference): Promise<string>;
  /** Returns the names of the texts at a path. */
  names(storage: PlanStorage, path: string): Promise<string[]>;
  /** Ends what storages have issued. Never throws. */
  close(): Promise<void>;
}

const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 8_000;

export function createReader(machine: SourceMachine, reading: Reading): SecretReader {
  const { projectId, stop, forceStop } = reading;
  const opened = new Map<string, OpenSource>();
  const answers = new Map<string, SourceValues>();
  const held: { lease: Lease; name: string | undefined }[] = [];

  function sourceOf(storage: PlanStorage): OpenSource {
    const known = opened.get(nameOf(storage));
    if (known) return known;
    const hold = async (text: string) => {
      const lease = { storage, projectId, lease: text };
      held.push({ lease, name: await machine.leases?.add(lease) });
    };
    const source = sourceKinds[storage.kind].open({ storage, machine, projectId, stop, hold });
    opened.set(nameOf(storage), source);
    return source;
  }

  async function answerOf(
    storage: PlanStorage,
    path: string,
    sign?: Signing,
  ): Promise<SourceValues> {
    const name = JSON.stringify([nameOf(storage), path, sign]);
    const known = answers.get(name);
    if (known) return known;
    if (!Object.hasOwn(sourceKinds, storage.kind)) throw sourceError(storage, path, "unknown_kind");
    const ask = () => {
      const source = sourceOf(storage);
      if (!sign) return source.read(path);
      if (source.sign) return source.sign(path, sign);
      throw sourceError(storage, path, "unknown_kind");
    };
    const answer = await waiting(ask, storage, path, reading);
    answers.set(name, answer);
    return answer;
  }

  return {
    async text({ storage, path, names, optional = false, isFile, sign }) {
      const text = chosen(await answerOf(storage, path, sign), names, optional);
      // Stored keys often lose their last line feed, or get carriage returns.
      if (text !== null) return isFile ? text.replaceAll("\r\n", "\n").trim() + "\n" : text;
      throw sourceError(storage, path, "no_field", { field: names.join(", ") || "value" });
    },
    async names(storage, path) {
      const { values } = await answerOf(storage, path);
      return Object.keys(values);
    },
    async close() {
      await Promise.all(held.map(async ({ lease, name }) => {
        try {
          const revoking = revokeLease(machine, lease);
          await (forceStop ? unlessAborted(revoking, forceStop) : revoking);
          if (name) await machine.leases?.remove(name);
        } catch {
          if (name) machine.leases?.abandon(name);
        }
      }));
      // Those of a storage that is down are ended later.
      if (held.length > 0) revokeLeftOver(machine, () => {}).catch(() => {});
    },
  };
}

const nameOf = ({ id, kind }: PlanStorage) => `${id} ${kind}`;

/** Returns a text of an answer; null if there is none. */
function chosen(
  { values, text }: SourceValues,
  names: readonly string[],
  optional: boolean,
): string | null {
  const name = names.find((name) => Object.hasOwn(values, name));
  if (name !== undefined) return values[name];
  if (optional) return "";
  const all = Object.values(values);
  return all.length === 0 ? text ?? null : all.length === 1 ? all[0] : null;
}

/** Reads again while the storage is unavailable, for as long as it allows. */
async function waiting(
  read: () => Promise<SourceValues>,
  storage: PlanStorage,
  path: string,
  { stop, onWait }: Reading,
): Promise<SourceValues> {
  const until = performance.now() + storage.waitMs;
  for (let pauseMs = PAUSE_MS, told = false;; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    stop.throwIfAborted();
    try {
      return await read();
    } catch (error) {
      stop.throwIfAborted();
      if (!(error instanceof Unavailable)) throw error;
      const why = error.message;
      if (performance.now() + pauseMs > until) {
        throw sourceError(storage, path, "unreachable", { why });
      }
      if (!told) await onWait?.(storage, why);
      told = true;
      await sleep(pauseMs, { signal: stop });
    }
  }
}
