import { reveal, type Secret } from "../../base/secret.ts";
import { type Markers, withoutMarkers } from "./markers.ts";
import { lineSplitter } from "./output.ts";
import { indexSecrets, redactor } from "./redaction.ts";

/** The only way to write to a task's log. It masks all text and splits it into lines. */
export interface RunLog {
  /** Writes one of the server's own lines. */
  say(line: string): Promise<void>;
  /**
   * Takes a command's output. `onLine` gets each masked line before it is written. `markers` are
   * removed.
   */
  pipe(onLine?: (line: string) => void, markers?: Markers): OutputPipe;
  /**
   * Returns a text masked like output. If it was `cut`, its end is dropped where it may be the
   * beginning of a secret.
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
  const index = indexSecrets(secrets.map((secret) => reveal(secret, "mask")));
  let written = 0;

  function pipe(onLine?: (line: string) => void, markers?: Markers): OutputPipe {
    const decoder = new TextDecoder();
    const masked = redactor(index);
    const lines = lineSplitter((line) => {
      onLine?.(line);
      written++;
      markers?.onLine(line, written);
      return writeLine(line);
    });
    const write = markers ? withoutMarkers(markers, lines.write) : lines.write;
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

/** Discards everything. */
export const silentLog: RunLog = {
  say: () => Promise.resolve(),
  pipe: () => ({ write: () => Promise.resolve(), end: () => Promise.resolve() }),
  mask: () => "",
};
