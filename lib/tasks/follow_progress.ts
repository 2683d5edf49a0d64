import type { ProjectScope } from "../access/scope.ts";
import { rememberedSight } from "../access/still_may_see.ts";
import { whenAborted } from "../base/abort.ts";
import { after } from "../base/after.ts";
import { createBell } from "../base/bell.ts";
import type { LiveMessage } from "../base/hub.ts";
import { onceFor } from "../base/once_for.ts";
import { announcesPlayTask } from "../output/banners.ts";

/** Pause between two updates. */
const PAUSE_MS = 500;

type LogMessage = Extract<LiveMessage, { type: "log" }>;

/** Each message is searched once, however many clients follow it. */
const announces = onceFor(({ records }: LogMessage) =>
  records.some(({ output }) => announcesPlayTask(output))
);

/**
 * Yields when tasks of a project make progress, at most twice a second, while the caller may see
 * them. Each value is the latest message, which is the same object for all followers.
 */
export async function* followProgress(
  scope: ProjectScope,
  signal: AbortSignal,
): AsyncGenerator<object> {
  const sight = rememberedSight(scope);
  const bell = createBell();
  // Messages of any kind count, because data read after an older one may be older than the page.
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
