import unhomoglyph from "unhomoglyph";
import { digest } from "./version.ts";

/**
 * Returns the same text for names that people confuse with each other, regardless of case: a digest
 * of the UTS 39 skeleton. Characters outside ASCII are mapped before lowercasing as well, because
 * capitals of other alphabets may look like Latin ones when their lowercase letters do not.
 */
export function confusableDigest(name: string): string {
  const letters = Array.from(
    name.normalize("NFKC"),
    (letter) => letter.codePointAt(0)! < 128 ? letter : unhomoglyph(letter),
  );
  const small = letters.join("").toLowerCase().normalize("NFD");
  return digest(unhomoglyph(small).normalize("NFD").toLowerCase(), 43);
}
