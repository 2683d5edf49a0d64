import { reveal, type Secret } from "../../base/secret.ts";
import { type Marks, withoutMarks } from "./marks.ts";
import { lineSplitter } from "./output.ts";
import { indexSecrets, redactor } from "./redaction.ts";

/** The one way into a task's log: what goes through here is masked and cut into lines. */
export interface RunLog {
  /** Writes a line of the server's own. */
  say(line: string): Promise<void>;
  /**
   * Takes a command's output; `onLine` sees each line, masked, before it is written. `marks` are
   * taken out of it.
   */
  pipe(onLine?: (line: string) => void, marks?: Marks): OutputPipe;
  /**
   * A text masked as output is. Of one that is `cut`, what may be the beginning of a secret at its
   * end is left out.
   */
  mask(text: string, cut: boolean): string;
}

interface OutputPipe {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

export function runLog(
  secrets: Secret[],
  writeLine: (line: string) => void | Promise<void>,
): RunLog {
  const index = indexSecrets(secrets.map(reveal));
  let written = 0;

  function pipe(onLine?: (line: string) => void, marks?: Marks): OutputPipe {
    const decoder = new TextDecoder();
    const masked = redactor(index);
    const lines = lineSplitter((line) => {
      onLine?.(line);
      written++;
      marks?.onLine(line, written);
      return writeLine(line);
    });
    const write = marks ? withoutMarks(marks, lines.write) : lines.write;
    return {
      write: (chunk) => write(masked.write(decoder.decode(chunk, { stream: true }))),
      async end() {
        await write(masked.write(decoder.decode()) + masked.end());
        await lines.end();
      },
    };
  }

  function mask(text: string, cut: boolean): string {
    const masked = redactor(index);
    const sure = masked.write(text);
    return cut ? sure : sure + masked.end();
  }

  async function say(line: string): Promise<void> {
    const output = pipe();
    await output.write(new TextEncoder().encode(`${line}\n`));
    await output.end();
  }

  return { say, pipe, mask };
}

/** Keeps nothing. */
export const silentLog: RunLog = {
  say: () => Promise.resolve(),
  pipe: () => ({ write: () => Promise.resolve(), end: () => Promise.resolve() }),
  mask: () => "",
};
