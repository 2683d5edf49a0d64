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

  async function write(text: string): Promise<void> {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      const taken = passLine(rest + text.slice(from, at));
      rest = "";
      from = at + 1;
      if (taken) await taken;
    }
    rest += text.slice(from);
    if (rest.length > LINE_BYTES_MAX) rest = await passParts(rest, sink);
  }

  function passLine(line: string): void | Promise<void> {
    const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (surelyFits(whole)) return sink(whole);
    return passParts(whole, sink).then(sink);
  }

  async function end(): Promise<void> {
    if (rest) await passLine(rest);
    rest = "";
  }

  return { write, end };
}

/** No UTF-16 unit takes more than three bytes. */
const surelyFits = (line: string) => line.length * 3 <= LINE_BYTES_MAX;

/** Passes on full parts and returns the last one, which fits. */
async function passParts(line: string, sink: LineSink): Promise<string> {
  const part = new Uint8Array(LINE_BYTES_MAX);
  let rest = line;
  while (!surelyFits(rest)) {
    // encodeInto never splits a character, and returns how much of the text went in.
    const { read } = encoder.encodeInto(rest, part);
    if (read === rest.length) break;
    const taken = sink(rest.slice(0, read));
    if (taken) await taken;
    rest = rest.slice(read);
  }
  return rest;
}

const encoder = new TextEncoder();
