import { digest } from "../version.ts";

/**
 * Returns the same text for names that people confuse with each other, regardless of case: a digest
 * of the UTS 39 skeleton.
 */
export const confusableDigest = async (name: string): Promise<string> =>
  digest(await confusableSkeleton(name), 43);

/**
 * Returns the UTS 39 skeleton of a name, regardless of case. Characters outside ASCII are mapped
 * before lowercasing as well, because capitals of other alphabets may look like Latin ones when
 * their lowercase letters do not.
 */
export async function confusableSkeleton(name: string): Promise<string> {
  const { default: table }: { default: Record<string, string> } = await import(
    "unhomoglyph/data.json",
    { with: { type: "json" } }
  );
  const likeLatin = (letter: string) => table[letter] ?? letter;
  const letters = Array.from(
    name.normalize("NFKC"),
    (letter) => letter.codePointAt(0)! < 128 ? letter : likeLatin(letter),
  );
  const small = letters.join("").toLowerCase().normalize("NFD");
  return Array.from(small, likeLatin).join("").normalize("NFD").toLowerCase();
}
