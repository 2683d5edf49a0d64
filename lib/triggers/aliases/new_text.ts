const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 16;
/**
 * The largest multiple of the number of letters in a byte. Above it, some letters would occur more
 * often.
 */
const FAIR_BYTES = 256 - 256 % LETTERS.length;

/**
 * Returns the text of a new address. Anyone who knows it may call it, so it cannot be guessed.
 */
export function newAliasText(): string {
  let text = "";
  while (text.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && text.length < LENGTH) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}
