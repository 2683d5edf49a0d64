/** Retries while another process writes: some seconds in all, each wait a little longer. */
const ATTEMPTS_MAX = 100;
const WAIT_MAX_MS = 50;

/** KV Connect takes this many, a file ten times as many: what works on one must work on the other. */
const CHECKS_MAX = 10;

/**
 * Opens the database: a file path, or the URL of a KV Connect service.
 * A file may be open in several processes. SQLite then refuses a commit with checks at once when
 * another process has just written, and KV throws where it could have waited: here it waits.
 */
export async function openStore(path: string): Promise<Deno.Kv> {
  const kv = await Deno.openKv(path);
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const op = atomic();
    const commit = op.commit.bind(op);
    const check = op.check.bind(op);
    let checks = 0;
    op.check = (...entries) => {
      checks += entries.length;
      if (checks > CHECKS_MAX) throw new TypeError(`Too many checks (max ${CHECKS_MAX})`);
      return check(...entries);
    };
    op.commit = () => commitPatiently(commit);
    return op;
  };
  return kv;
}

/** Nothing of a refused commit was written, so that it can be sent again as it is. */
async function commitPatiently(
  commit: Deno.AtomicOperation["commit"],
): ReturnType<Deno.AtomicOperation["commit"]> {
  for (let attempt = 1;; attempt++) {
    try {
      return await commit();
    } catch (error) {
      if (!isLocked(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    const waitMs = Math.random() * Math.min(attempt, WAIT_MAX_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("database is locked");
