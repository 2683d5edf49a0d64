import { join } from "node:path";
import { fetchPackage } from "./pypi.ts";

/**
 * Version of a collection of roles and playbooks on PyPI, of 4 MB, which resembles no play of ours.
 */
const DEBOPS = "3.3.2";
const UV = "0.13.9";

/** Returns a folder with the collection, or null if PyPI cannot be reached. */
export async function publishedCollections(): Promise<string | null> {
  const folder = await fetchPackage("debops", DEBOPS);
  return folder && join(folder, "debops", "_data", "ansible", "collections");
}

/** Returns a folder with the real uv, or null if PyPI cannot be reached. */
export async function findUv(): Promise<string | null> {
  const folder = await fetchPackage("uv", UV);
  return folder && join(folder, "bin");
}
