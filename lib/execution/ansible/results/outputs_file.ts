import { byteLength } from "../../../base/fields.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment } from "../../process/variables.ts";
import type { RunContext } from "../../run/context.ts";

/** The longest file that is read. It has room for all outputs and their names. */
const FILE_BYTES_MAX = 512 * 1024;
const LIMIT_MS = 10_000;

/** Contents of the file in which a play's processes write outputs. */
interface WrittenOutputs {
  /** Values by name. The last one of a name counts. */
  values: Map<string, string>;
  /** Problems of other parts, as English sentences without contents of the file. */
  problems: string[];
}

/**
 * Reads the file as the play itself could, because the play may have replaced it with a link to
 * another one. It is masked as a whole, because a secret may look like a name and its value.
 */
export async function readOutputsFile(
  { env, directory, supervision, mask }: RunContext,
  path: string,
): Promise<WrittenOutputs> {
  const found = await Deno.lstat(path).catch(() => null);
  if (!found || found.isFile && found.size === 0) return { values: new Map(), problems: [] };
  // Opening a pipe would wait for someone who writes to it.
  if (!found.isFile && !found.isSymlink) return unreadable();
  const { stdout, exitCode } = await collectProcess({
    command: ["head", "-c", String(FILE_BYTES_MAX + 1), "--", path],
    cwd: directory.path,
    env: baseEnvironment(env.path, directory.path),
    limitMs: LIMIT_MS,
  }, supervision);
  if (exitCode !== 0) return unreadable();
  if (byteLength(stdout) <= FILE_BYTES_MAX) return parseOutputs(mask(stdout, false));
  const whole = stdout.slice(0, stdout.lastIndexOf("\n") + 1);
  const { values, problems } = parseOutputs(mask(whole, true));
  return { values, problems: [...problems, "The file of outputs is cut off after 512 KB"] };
}

const unreadable = (): WrittenOutputs => ({
  values: new Map(),
  problems: ["The file of outputs is unreadable"],
});

/** Reads lines `name=value`, and values of several lines between `name<<END` and `END`. */
export function parseOutputs(text: string): WrittenOutputs {
  const values = new Map<string, string>();
  const problems: string[] = [];
  const lines = text.split(/\r?\n/);
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n];
    if (line.trim() === "") continue;
    const [, name, sign, rest] = /^([^=<]+)(=|<<)(.*)$/s.exec(line) ?? [];
    if (sign === "=") values.set(name.trim(), rest);
    else if (sign === "<<" && rest.trim() !== "") {
      const end = lines.indexOf(rest.trim(), n + 1);
      if (end === -1) {
        // The rest may be part of the value.
        problems.push(`The end of the output in line ${n + 1} of the file is missing`);
        break;
      }
      values.set(name.trim(), lines.slice(n + 1, end).join("\n"));
      n = end;
    } else problems.push(`Line ${n + 1} of the file of outputs is not "name=value"`);
  }
  return { values, problems };
}
