/** Characters of one, three and four bytes, and some that JSON escapes. */
export const ALPHABETS = ["a", "中国網頁", "😀🚀", '"\\'];

/** Returns a text of this length, in UTF-16 units. */
export const textOf = (alphabet: string, length: number): string =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length).toWellFormed();
