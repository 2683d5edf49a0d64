/** Recognizes lines of Ansible's default output. Other output callbacks use other words. */

/** Colors at the beginning of a line. */
// deno-lint-ignore no-control-regex -- colors begin with it
const COLOURS = /^(?:\x1b\[[\d;]*m)+/;
const BANNER = /^(?:PLAY|TASK|RUNNING HANDLER|CLEANUP TASK) \[|^PLAY RECAP \*/;
/** Since 2.19, the error of an Ansible task comes before the line with the host's failure. */
const FAILURE = /^(?:fatal: \[|failed: \[|ERROR!|\[ERROR\]:(?! Task failed:))/;
const HOST = /^\w+: \[([^\],: ]+)/;
const TITLE_MAX = 160;

const uncoloured = (line: string): string => line[0] === "\x1b" ? line.replace(COLOURS, "") : line;

/** Whether a line announces an Ansible task or a handler. */
export const announcesPlayTask = (line: string): boolean => /^(TASK|RUNNING HANDLER) \[/.test(line);

/**
 * Returns the title and depth in a line that announces a play (depth 0) or one of its tasks (depth
 * 1); null for other lines.
 */
export function bannerOf(line: string): { title: string; depth: number } | null {
  const text = uncoloured(line);
  if (!BANNER.test(text)) return null;
  const end = text.lastIndexOf("]") + 1 || text.indexOf(" *");
  return { title: text.slice(0, Math.min(end, TITLE_MAX)), depth: text.startsWith("PLAY") ? 0 : 1 };
}

/** Whether a line reports a failure. */
export const showsFailure = (line: string): boolean => FAILURE.test(uncoloured(line));

/** Returns the host of a failure; empty if the line names none. */
export const failedHost = (line: string): string => HOST.exec(uncoloured(line))?.[1] ?? "";

/** Whether a line reports that the failure before it was ignored. */
export const ignoresFailure = (line: string): boolean => uncoloured(line).startsWith("...ignoring");
