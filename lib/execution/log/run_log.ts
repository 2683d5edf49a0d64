import { reveal, type Secret } from "../../base/secret.ts";
import { lineSplitter } from "./output.ts";
import { indexSecrets, redactor } from "./redaction.ts";

/** The one way into a task's log: what goes through here is masked and cut into lines. */
export interface RunLog {
  /** Writes a line of the server's own. */
  say(line: string): Promise<void>;
  /** Takes a command's output; `onLine` sees each line, masked, before it is written. */
  pipe(onLine?: (line: string) => void): OutputPipe;
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

  function pipe(onLine?: (line: string) => void): OutputPipe {
    const decoder = new TextDecoder();
    const masked = redactor(index);
    const lines = lineSplitter((line) => {
      onLine?.(line);
      return writeLine(line);
    });
    return {
      write: (chunk) => lines.write(masked.write(decoder.decode(chunk, { stream: true }))),
      async end() {
        await lines.write(masked.write(decoder.decode()) + masked.end());
        await lines.end();
      },
    };
  }

  async function say(line: string): Promise<void> {
    const output = pipe();
    await output.write(new TextEncoder().encode(`${line}\n`));
    await output.end();
  }

  return { say, pipe };
}

/** Keeps nothing. */
export const silentLog: RunLog = {
  say: () => Promise.resolve(),
  pipe: () => ({ write: () => Promise.resolve(), end: () => Promise.resolve() }),
};
