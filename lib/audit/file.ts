import type { Receiver } from "./sink.ts";

/**
 * Returns a receiver that appends lines of JSON to a file. It is opened for each batch, so that a
 * file that was moved is created anew.
 */
export const fileReceiver = (path: string): Receiver => ({
  name: "file",
  async send(records) {
    using file = await Deno.open(path, { append: true, create: true, mode: 0o600 });
    const { size } = await file.stat();
    const text = records.map((record) => JSON.stringify(record) + "\n").join("");
    try {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      await file.sync();
    } catch (error) {
      // A part of a batch would come twice, and might end in the middle of a line.
      await file.truncate(size).catch(() => {});
      throw error;
    }
  },
});
