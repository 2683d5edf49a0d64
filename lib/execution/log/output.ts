/** Longest line that is stored, in bytes of UTF-8. A longer one continues in further lines. */
export const LINE_BYTES_MAX = 16 * 1024;

/** Takes a line. It may return a promise to wait for. */
type LineSink = (line: string) => void | Promise<void>;

interface LineSplitter {
  /** Takes text as it arrives and passes on the lines that it completes. */
  write(text: string): Promise<void>;
  /** Passes on the rest, which has no end of line. */
  end(): Promise<void>;
}

/**
 * Splits text into lines. A "\r" right before the end of a line is dropped, and any other one
 * (progress bars) stays. However long a line is, no more than one part of it is in memory.
 */
export function lineSplitter(sink: LineSink): LineSplitter {
  let rest = "";
  /** Whether parts of the line have been passed on. */
  let isBegun = false;

  async function write(text: string): Promise<void> {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const taken = passLine(rest + text.slice(from, at));
      rest = "";
      from = at + 1;
      if (taken) await taken;
    }
    rest += text.slice(from);
    if (rest.length <= LINE_BYTES_MAX) return;
    rest = await passParts(rest, sink);
    isBegun = true;
  }

  function passLine(line: string): void | Promise<void> {
    isBegun = false;
    const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (surelyFits(whole)) return sink(whole);
    return passParts(whole, sink).then(sink);
  }

  async function end(): Promise<void> {
    if (rest || isBegun) await passLine(rest);
    rest = "";
  }

  return { write, end };
}

/** Bytes of a part that has no room for another character. */
export const FULL_BYTES = LINE_BYTES_MAX - 3;

/** No UTF-16 unit takes more than three bytes. */
const surelyFits = (line: string) => line.length * 3 < FULL_BYTES;

/** Whether a line is a part of a longer one, and goes on in the next one, which may be empty. */
export const isFullPart = (line: string): boolean =>
  !surelyFits(line) && encoder.encode(line).length >= FULL_BYTES;

/** Passes on full parts and returns the last one, which is not full. */
async function passParts(line: string, sink: LineSink): Promise<string> {
  const part = new Uint8Array(LINE_BYTES_MAX);
  let rest = line;
  while (!surelyFits(rest)) {
    // encodeInto never splits a character, and returns how much of the text went in.
    const { read, written } = encoder.encodeInto(rest, part);
    if (read === rest.length && written < FULL_BYTES) break;
    const taken = sink(rest.slice(0, read));
    if (taken) await taken;
    rest = rest.slice(read);
  }
  return rest;
}

const encoder = new TextEncoder();
