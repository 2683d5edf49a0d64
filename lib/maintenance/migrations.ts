import type { SecretBox } from "../access/secret_box.ts";
import { ConfigError } from "../base/settings/settings.ts";
import { rowKeys } from "../store/keys.ts";
import type { Course } from "../store/rows/rewrite_rows.ts";
import type { Store } from "../store/store.ts";

/**
 * One change of the rows' schema. It may be interrupted and run again, so it must skip rows that it
 * has already changed. It counts the rows that it processes, and may store its progress.
 */
export type Migration = (kv: Store, course: Course, secrets: SecretBox) => Promise<void>;

/** The first version of a store that is read. Those below it were written before 1.0.0. */
export const FIRST_VERSION = 16;

/** Changes nothing: it keeps upgrades in use, and under test, until rows change. */
async function keepRows(): Promise<void> {}

/** Migrations from `FIRST_VERSION` on, in their order. None is ever removed or reordered. */
const MIGRATIONS: readonly Migration[] = [keepRows];

/** Progress of an upgrade, updated in place while it runs. */
export interface UpgradeProgress {
  /** Percentage of the store that is copied; null when the copy is done, or there is none. */
  copied: number | null;
  /** Number of the current step, from 1 on, and number of all steps. */
  step: number;
  steps: number;
  name: string;
  /** Rows that this step has processed since this start. */
  rows: number;
}

/** Position where an interrupted upgrade continues: after a row, in the step with that number. */
interface UpgradeRow {
  step: number;
  after: Deno.KvKey;
}

interface Watched {
  progress?: UpgradeProgress;
  /** Ends the upgrade between two commits, with the signal's reason. */
  stop?: AbortSignal;
}

/** The store was written by a later version. */
export class LaterStoreError extends ConfigError {
  /**
   * @param version The latest version of a store that this program reads.
   * @param writer The version of Callboard that wrote the store, if it is known.
   */
  constructor(
    readonly version: number,
    readonly writer: string | null = null,
    advice = "restore a backup",
  ) {
    super(
      `This data was written by a later version of Callboard${
        named(writer)
      }. Start that version, or ` +
        `${advice}.`,
    );
  }
}

/** Version of a store, and number of steps that bring it to the current version. */
interface Pending {
  version: number;
  steps: number;
}

/** Returns no steps for a new store. Throws as `stepsFrom`. */
export async function pendingSteps(kv: Store, migrations = MIGRATIONS): Promise<Pending> {
  const [{ value }, { value: writer }] = await kv.getMany<[number, string]>([
    rowKeys.storeVersion(),
    rowKeys.storeWriter(),
  ]);
  return stepsFrom(value, writer, migrations);
}

/**
 * Returns the steps for a store with this version row; null stands for a new store. Throws
 * ConfigError for a store from before 1.0.0, and LaterStoreError for one of a later version,
 * because reading them could destroy them.
 */
export function stepsFrom(
  stored: number | null,
  writer: string | null = null,
  migrations = MIGRATIONS,
): Pending {
  const current = FIRST_VERSION + migrations.length;
  const version = stored ?? current; // A new store has the current schema.
  if (version > current) throw new LaterStoreError(current, writer);
  if (version < FIRST_VERSION) throw new ConfigError(earlierStore(writer));
  return { version, steps: current - version };
}

const earlierStore = (writer: string | null): string =>
  `This data was written before Callboard 1.0.0${named(writer)}, whose data cannot be read. ` +
  "Download a backup of each project with the version that wrote it. Then start this version " +
  "with an empty data folder and store, and restore the projects from their backups.";

const named = (writer: string | null): string => writer === null ? "" : ` (${writer})`;

/** Upgrades a store to the current schema, before anything else reads it. Throws as `stepsFrom`. */
export async function migrate(
  kv: Store,
  secrets: SecretBox,
  migrations: readonly Migration[] = MIGRATIONS,
  watched: Watched = {},
): Promise<void> {
  const { version, steps } = await pendingSteps(kv, migrations);
  for (let n = migrations.length - steps; n < migrations.length; n++) {
    Object.assign(watched.progress ?? {}, {
      step: n - migrations.length + steps + 1,
      name: migrations[n].name,
      rows: 0,
    });
    await migrations[n](kv, await courseOf(kv, n, watched), secrets);
    if (n + 1 < migrations.length) {
      await kv.atomic().set(rowKeys.storeVersion(), FIRST_VERSION + n + 1)
        .delete(rowKeys.storeUpgrade()).commit();
    }
  }
  await finish(kv, version + steps);
}

/** Stores that no upgrade is under way, so that the next one copies the store again. */
async function finish(kv: Store, version: number): Promise<void> {
  await kv.atomic().set(rowKeys.storeVersion(), version).delete(rowKeys.storeUpgrade())
    .delete(rowKeys.storeCopied()).commit();
}

async function courseOf(
  kv: Store,
  step: number,
  { progress, stop }: Watched,
): Promise<Course> {
  const { value } = await kv.get<UpgradeRow>(rowKeys.storeUpgrade());
  return {
    after: value?.step === step ? value.after : null,
    reach: (op, after) => op.set(rowKeys.storeUpgrade(), { step, after } satisfies UpgradeRow),
    count(rows) {
      stop?.throwIfAborted();
      if (progress) progress.rows += rows;
    },
  };
}
