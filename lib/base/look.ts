import unhomoglyph from "unhomoglyph";
import { digest } from "./version.ts";

/**
 * The same for names that people take for each other, capitals or not: a digest of the skeleton of
 * UTS 39. What is not ASCII is compared before capitals are made small as well: those of other
 * alphabets look like Latin ones where their small letters do not.
 */
export function lookOf(name: string): string {
  const letters = Array.from(
    name.normalize("NFKC"),
    (letter) => letter.codePointAt(0)! < 128 ? letter : unhomoglyph(letter),
  );
  const small = letters.join("").toLowerCase().normalize("NFD");
  return digest(unhomoglyph(small).normalize("NFD").toLowerCase(), 43);
}
