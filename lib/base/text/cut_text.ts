const MARK = "…";
const encoder = new TextEncoder();
const MARK_BYTES = encoder.encode(MARK).length;

/** Cuts a text to a number of bytes in UTF-8, at the end of a character, and marks the cut. */
export function cutText(text: string, bytesMax: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= bytesMax) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= bytesMax) return text;
  let end = Math.max(0, bytesMax - MARK_BYTES);
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end)) + MARK;
}
