import { join } from "node:path";
import { conceal, reveal, type Secret, secretJson } from "../../base/secret.ts";
import type { PlanStorage } from "./plan_storage.ts";

/** Something that a storage has issued for a run, and that has to be ended. */
export interface Lease {
  storage: PlanStorage;
  projectId: number;
  /** As the kind of the storage understands it. */
  lease: string;
}

/** Encrypts files of leases. */
interface LeaseBox {
  seal(plain: string): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Secret>;
}

/** Leases of this machine, in files so that they are ended even if it is killed. */
export interface LeaseStore {
  /** Returns the name of its file. */
  add(lease: Lease): Promise<string>;
  remove(name: string): Promise<void>;
  /** Lets `leftOver` return it. */
  abandon(name: string): void;
  /** Returns leases that no run has any more. Those that cannot be read are null. */
  leftOver(): Promise<Map<string, Lease | null>>;
}

/** No lease that is worth the effort lasts for longer. */
const AGE_MS_MAX = 32 * 86_400_000;

export function createLeaseStore(dataDir: string, box: LeaseBox): LeaseStore {
  const directory = join(dataDir, "leases");
  const inUse = new Set<string>();

  async function read(name: string): Promise<Lease | null> {
    try {
      const text = await box.open(await Deno.readFile(join(directory, name)));
      const { storage, ...lease } = JSON.parse(reveal(text, "source"));
      const secret = storage.secret === null ? null : conceal(storage.secret);
      return { ...lease, storage: { ...storage, secret } };
    } catch {
      return null;
    }
  }

  return {
    async add({ storage: { identity: _, ...storage }, ...lease }) {
      const name = crypto.randomUUID();
      const text = reveal(secretJson({ ...lease, storage }), "source");
      await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
      inUse.add(name);
      const sealed = await box.seal(text);
      await Deno.writeFile(join(directory, name), sealed, { mode: 0o600, createNew: true });
      return name;
    },
    async remove(name) {
      await Deno.remove(join(directory, name)).catch(() => {});
      inUse.delete(name);
    },
    abandon: (name) => void inUse.delete(name),
    async leftOver() {
      const entries = await Array.fromAsync(Deno.readDir(directory)).catch(() => []);
      const names = entries.map(({ name }) => name).filter((name) => !inUse.has(name));
      return new Map(
        await Promise.all(names.map(async (name) => {
          // Another run may have removed it meanwhile.
          const file = await Deno.stat(join(directory, name)).catch(() => null);
          if (!file) return [];
          const isOld = Date.now() - (file.mtime?.getTime() ?? 0) > AGE_MS_MAX;
          return [[name, isOld ? null : await read(name)] as const];
        })).then((leases) => leases.flat()),
      );
    },
  };
}
