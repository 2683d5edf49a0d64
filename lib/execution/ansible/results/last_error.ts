import { stripVTControlCharacters } from "node:util";

/** Finds Ansible's own last error in its output: why it ended, when no host has failed. */
interface LastErrorReader {
  read(line: string): void;
  /** Returns the error, with paths below the folder `root` relative to it; null for none. */
  found(root: string): LastError | null;
}

/** An error of Ansible itself. */
export interface LastError {
  message: string;
  /** Where it was made; null if Ansible names no line. */
  place: { file: string; line: number; column: number } | null;
}

/**
 * The first line of an error: up to ansible-core 2.18, since then, of a broken ansible.cfg, and of
 * a wrong option. Since 2.19, an error of a host begins with "Task failed".
 */
const ERROR = /^(?:ERROR! | ?\[ERROR\]: (?!Task failed:)|ERROR: |[\w-]+: error: )(.*)/;
/** Lines without any of these begin no error. Most lines need only this one test. */
const TELLING = /ERROR|error: /;
/** Where an error was made, since ansible-core 2.19 and before. */
const ORIGIN = /^Origin: (.+?):(\d+)(?::(\d+))?$/;
const APPEARS = /error appears to be in '(.+)': line (\d+), column (\d+)/;
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
    found(root) {
      const message = messageOf(lines);
      if (message === "") return null;
      const relative = (text: string) => text.replaceAll(`${root}/`, "").replaceAll(root, ".");
      const place = placeOf(lines);
      return {
        message: relative(message).slice(0, MESSAGE_MAX),
        place: place && { ...place, file: relative(place.file).slice(-MESSAGE_MAX) },
      };
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

function placeOf(lines: string[]): LastError["place"] {
  for (const line of lines) {
    const [, file, at, column = "1"] = ORIGIN.exec(line) ?? APPEARS.exec(line) ?? [];
    if (file) return { file, line: Number(at), column: Number(column) };
  }
  return null;
}
