import type { ProjectScope } from "../access/scope.ts";
import { rememberedSight } from "../access/still_may_see.ts";
import { whenAborted } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { createBell } from "../base/bell.ts";
import type { LiveMessage } from "../base/hub.ts";
import { onceFor } from "../base/once_for.ts";
import { announcesPlayTask } from "../output/banners.ts";

/** Between two of what is told. */
const PAUSE_MS = 500;

type LogMessage = Extract<LiveMessage, { type: "log" }>;

/** Each message is looked through once, however many follow it. */
const announces = onceFor(({ records }: LogMessage) =>
  records.some(({ output }) => announcesPlayTask(output))
);

/**
 * Tells when runs of a project come further, at most twice a second, while who asks may see them:
 * with what told so last, which is the same for all who follow.
 */
export async function* followProgress(
  scope: ProjectScope,
  signal: AbortSignal,
): AsyncGenerator<object> {
  const sight = rememberedSight(scope);
  const bell = createBell();
  // Of any kind: what was read after an older one may be older than what the page shows.
  let latest: LiveMessage | null = null;
  const unsubscribe = scope.deps.live.subscribe((message) => {
    if (message.type === "access") return sight.forget();
    if (message.project_id !== scope.projectId || message.type === "results") return;
    if (message.type !== "log") latest = message;
    else if (announces(message)) {
      latest = message;
      bell.ring();
    }
  });
  const forget = whenAborted(signal, bell.ring);
  try {
    while (await bell.heard() && !signal.aborted) {
      if (!await sight.maySee()) return;
      if (latest) yield latest;
      await new Promise<void>((resolve) => after(PAUSE_MS, resolve));
    }
  } finally {
    forget();
    unsubscribe();
  }
}
