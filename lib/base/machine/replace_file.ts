/**
 * Replaces a file that only its owner may read. A file of its own is written first, so that neither
 * a full disk nor a crash leaves half of it.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${path}.new`, text, { mode: 0o600 });
  using file = await Deno.open(`${path}.new`, { read: true });
  await file.sync();
  await Deno.rename(`${path}.new`, path);
}
