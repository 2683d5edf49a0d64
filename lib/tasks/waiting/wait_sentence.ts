import type { Sentence, SentenceParams } from "../../base/errors.ts";
import type { RunnerWait } from "./placement.ts";
import type { Blocked } from "./startable.ts";

/** Number of blocking tasks that are named. */
const BEHIND = 3;

/**
 * Returns the reason why a task, or each of `count` tasks, waits. Pages replace the parameters
 * `tasks` and `since`.
 */
export function waitSentence(blocked: Blocked | null, count = 1): Sentence {
  const by = blocked?.by ?? "nothing";
  if (blocked?.by === "runner") {
    const reason = runnerSentence(blocked.why);
    return count === 1 ? reason : { key: "overview.alike.runner", params: { count, reason } };
  }
  const tasks = behindOf(blocked).map(({ id }) => `#${id}`).join(", ");
  const limit = blocked?.by === "project" ? blocked.limit : 1;
  return count === 1
    ? { key: `overview.behind.${by}`, params: { count: limit, tasks } }
    : { key: `overview.alike.${by}`, params: { count, limit, tasks } };
}

/** Returns the tasks that are named in the reason. */
export const behindOf = (blocked: Blocked | null) =>
  blocked && "behind" in blocked ? blocked.behind.slice(0, BEHIND) : [];

function runnerSentence(why: RunnerWait): Sentence {
  const sentence = (form: string, params: SentenceParams = {}): Sentence => ({
    key: `placement.wait.${form}`,
    params,
  });
  switch (why.kind) {
    case "none":
      return sentence("none");
    case "label":
      return sentence("label", { count: why.labels.length, labels: why.labels.join(", ") });
    case "silent": {
      const { name, at } = why;
      return at === 0
        ? sentence("unseen", { name })
        : sentence("silent", { name, since: new Date(at).toISOString() });
    }
    case "tool": {
      const { tool, labels } = why;
      const form = "podman" in tool ? "podman" : "python";
      const versions = "pythons" in tool ? tool.pythons.join("/") : "";
      return labels.length === 0
        ? sentence(form, { versions })
        : sentence(`${form}_labels`, { versions, count: labels.length, labels: labels.join(", ") });
    }
    case "busy":
      return sentence("busy", { name: why.name, running: why.running, max: why.max });
    default:
      return sentence(why.kind, { name: why.name });
  }
}
