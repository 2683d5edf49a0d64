import { stripVTControlCharacters } from "node:util";

/** Finds Ansible's own last error in its output: why it ended, when no host has failed. */
interface LastErrorReader {
  read(line: string): void;
  /** Returns the error with its file and line, without the folder `root`; null if there is none. */
  text(root: string): string | null;
}

/**
 * The first line of an error: up to ansible-core 2.18, since then, of a broken ansible.cfg, and of
 * a wrong option. Since 2.19, an error of a host begins with "Task failed".
 */
const ERROR = /^(?:ERROR! | ?\[ERROR\]: (?!Task failed:)|ERROR: |[\w-]+: error: )(.*)/;
/** Lines without any of these begin no error. Most lines need only this one test. */
const TELLING = /ERROR|error: /;
/** Where an error was made, since ansible-core 2.19 and before. */
const ORIGIN = /^Origin: (.+?:\d+)(?::\d+)?$/;
const APPEARS = /error appears to be in '(.+)': line (\d+)/;
/** Up to ansible-core 2.18, the first lines about a file that is not YAML say only this. */
const NOT_YAML = /^We were unable to read either as JSON nor YAML/;
const YAML_ERROR = /^Syntax Error while loading YAML/;

/** How many lines of an error are read, and how many characters of each. */
const LINES_MAX = 12;
const LINE_LENGTH_MAX = 1_000;
/** Enough for a cause, and well below what a task's row can hold. */
const MESSAGE_MAX = 300;

export function lastErrorReader(): LastErrorReader {
  let lines: string[] = [];
  let isOpen = false;

  function read(line: string): void {
    if (!isOpen && !TELLING.test(line)) return;
    const plain = stripVTControlCharacters(line.slice(0, LINE_LENGTH_MAX)).trimEnd();
    const error = ERROR.exec(plain);
    if (error) lines = [error[1]];
    else if (isOpen) lines.push(plain);
    if (error || isOpen) isOpen = lines.length < LINES_MAX;
  }

  return {
    read,
    text(root) {
      const message = messageOf(lines);
      if (message === "") return null;
      const place = placeOf(lines);
      const within = place ? `${message.slice(0, MESSAGE_MAX)} (${place})` : message;
      const text = within.replaceAll(`${root}/`, "").replaceAll(root, ".");
      return text.slice(0, 2 * MESSAGE_MAX);
    },
  };
}

/** Returns the first paragraph of an error, of at most two lines. */
function messageOf(lines: string[]): string {
  const begin = NOT_YAML.test(lines[0] ?? "")
    ? Math.max(0, lines.findIndex((line) => YAML_ERROR.test(line)))
    : 0;
  const [first = "", second = ""] = lines.slice(begin);
  const goesOn = second !== "" && !ORIGIN.test(second) && !ERROR.test(second);
  const said = goesOn ? `${first.replace(/[.:]$/, "")}: ${second.trim()}` : first;
  return said.trim();
}

function placeOf(lines: string[]): string | null {
  for (const line of lines) {
    const origin = ORIGIN.exec(line);
    if (origin) return origin[1];
    const appears = APPEARS.exec(line);
    if (appears) return `${appears[1]}:${appears[2]}`;
  }
  return null;
}
