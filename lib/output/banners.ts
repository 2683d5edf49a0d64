/** What Ansible's own words for people tell of a line; other callbacks for its output have others. */

/** Colours that a line may begin with. */
// deno-lint-ignore no-control-regex -- colours begin so
const COLOURS = /^(?:\x1b\[[\d;]*m)+/;
const BANNER = /^(?:PLAY|TASK|RUNNING HANDLER|CLEANUP TASK) \[|^PLAY RECAP \*/;
/** From 2.19 on, an error of a task comes before the line that tells the failure of the host. */
const FAILURE = /^(?:fatal: \[|failed: \[|ERROR!|\[ERROR\]:(?! Task failed:))/;
const HOST = /^\w+: \[([^\],: ]+)/;
const TITLE_MAX = 160;

const uncoloured = (line: string): string => line[0] === "\x1b" ? line.replace(COLOURS, "") : line;

/** Whether with this line Ansible announces a task of a play, or a handler. */
export const announcesPlayTask = (line: string): boolean => /^(TASK|RUNNING HANDLER) \[/.test(line);

/** What a line announces: a play, 0 deep, or a task of one, 1 deep; null for others. */
export function bannerOf(line: string): { title: string; depth: number } | null {
  const text = uncoloured(line);
  if (!BANNER.test(text)) return null;
  const end = text.lastIndexOf("]") + 1 || text.indexOf(" *");
  return { title: text.slice(0, Math.min(end, TITLE_MAX)), depth: text.startsWith("PLAY") ? 0 : 1 };
}

/** Whether a line tells of a failure. */
export const tellsFailure = (line: string): boolean => FAILURE.test(uncoloured(line));

/** The host that a failure is of; empty where it is of none. */
export const failedHost = (line: string): string => HOST.exec(uncoloured(line))?.[1] ?? "";

/** Whether a line tells that the failure before it was expected. */
export const ignoresFailure = (line: string): boolean => uncoloured(line).startsWith("...ignoring");
