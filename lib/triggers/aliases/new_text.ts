const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 16;
/** The largest multiple of the number of letters in a byte: above it, some would come more often. */
const FAIR_BYTES = 256 - 256 % LETTERS.length;

/** Text of a new address: knowing it is what lets a caller in, so nobody can guess it. */
export function newAliasText(): string {
  let text = "";
  while (text.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      if (byte < FAIR_BYTES && text.length < LENGTH) text += LETTERS[byte % LETTERS.length];
    }
  }
  return text;
}
