import { type LinkedAbort, linkedAbort, whenAborted } from "../base/time/abort.ts";
import { createBell } from "../base/bell.ts";
import type { LiveMessage } from "../base/hub.ts";
import { sleep } from "../base/time/pause.ts";
import { watchRows } from "../store/watch.ts";
import { isProjectToken } from "./actor.ts";
import { askAgain, getCredential, isLimitedAs } from "./authenticate.ts";
import type { ProjectScope, UserScope } from "./scope.ts";
import type { Permission } from "./permissions.ts";
import { rememberedSight, stillMaySee } from "./still_may_see.ts";

/** Yielded by `read` when no news will follow. */
export const END = Symbol("end");

/** Live data of which someone wants the news. */
interface Followed<Change, News> {
  /** Subscribes, then yields once at first and again after each change. */
  changes: AsyncIterable<Change>;
  /** Whether the reader may still see news. Asked before each one. */
  maySee?(): Promise<boolean>;
  /** Yields the news since the last call. */
  read(change: Change): AsyncIterable<News | typeof END>;
  /** Pause between two reads. */
  pauseMs?: number;
}

/**
 * Yields news of live data as it changes, at first those until now. Ends when `read` says so, when
 * the reader may not see more, or when `signal` aborts.
 */
export async function* follow<Change, News>(
  { changes, maySee = () => Promise.resolve(true), read, pauseMs = 0 }: Followed<Change, News>,
  signal: AbortSignal,
): AsyncGenerator<News> {
  // Changes are subscribed to before the first read, so that none is missed in between.
  for await (const change of changes) {
    for await (const news of read(change)) {
      if (news === END || signal.aborted || !await maySee()) return;
      yield news;
    }
    if (pauseMs > 0) await sleep(pauseMs, { signal });
  }
}

/**
 * Changes of rows, as seen by a caller who may see the project and has `permission`, until they
 * lose that right.
 */
export const rowChanges = <Rows extends unknown[]>(
  scope: ProjectScope,
  rows: Readonly<{ [K in keyof Rows]: Deno.KvKey }>,
  signal: AbortSignal,
  maySee: () => Promise<boolean> = () => stillMaySee(scope),
) => ({
  changes: whileSeen(scope, maySee, signal, (seen) => watchRows<Rows>(scope.deps, rows, seen)),
  maySee,
});

/** The same of someone who has `permission`. */
export const stillWith = (scope: ProjectScope, permission: Permission) => () =>
  stillMaySee(scope, permission);

/**
 * Yields changes until the reader may not see more. It asks as soon as rights have changed, so that
 * a stream without news ends, too.
 */
export async function* whileSeen<Change>(
  { deps, actor }: ProjectScope,
  maySee: () => Promise<boolean>,
  signal: AbortSignal,
  changes: (seen: AbortSignal) => AsyncIterable<Change>,
): AsyncGenerator<Change> {
  const { signal: seen, abort, release } = linkedAbort(signal);
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type !== "access" || ![null, actor.id].includes(message.user_id)) return;
    maySee().then((may) => may || abort(), abort);
  });
  try {
    yield* changes(seen);
  } finally {
    unsubscribe();
    abort();
    release();
  }
}

/**
 * Aborts with `gone`, when the session or token of the caller has ended or is limited otherwise,
 * and on request.
 */
export function untilSignedOut(
  { deps, actor }: UserScope,
  gone: AbortSignal,
): Omit<LinkedAbort, "release"> {
  const { signal, abort, release } = linkedAbort(gone);
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type !== "access") return;
    if (isProjectToken(actor)) {
      // Whatever happens to its creator can end it.
      askAgain(deps, actor, 0).then((asker) => asker === null && abort(), abort);
      return;
    }
    if (message.user_id !== actor.id) return;
    getCredential(deps.kv, actor)
      .then(({ value }) => {
        const limits = value && "limits" in value ? value.limits : undefined;
        if (!value || !isLimitedAs(actor, limits)) abort();
      }, abort);
  });
  whenAborted(signal, () => {
    release();
    unsubscribe();
  });
  return { signal, abort };
}

/** A live message about tasks. */
export type LiveNews = Exclude<LiveMessage, { type: "access" }>;

/**
 * Live messages for which `isNews` is true, as seen by a caller who may see the project, until they
 * lose that right.
 */
export function liveChanges(
  scope: ProjectScope,
  isNews: (message: LiveNews) => boolean,
  signal: AbortSignal,
  taskId?: number,
) {
  const sight = rememberedSight(scope);
  const maySee = () => taskId === undefined ? sight.maySee() : sight.maySeeTask(taskId);

  async function* changes(): AsyncGenerator<void> {
    const bell = createBell();
    let isOver = false;
    const end = () => {
      isOver = true;
      bell.ring();
    };
    const unsubscribe = scope.deps.live.subscribe((message) => {
      if (message.type === "access") {
        sight.forget();
        maySee().then((may) => may || end(), end);
      } else if (isNews(message)) bell.ring();
    });
    const release = whenAborted(signal, bell.ring);
    try {
      do yield; while (await bell.wait() && !signal.aborted && !isOver);
    } finally {
      release();
      unsubscribe();
    }
  }

  return { changes: changes(), maySee, maySeeTask: sight.maySeeTask };
}
