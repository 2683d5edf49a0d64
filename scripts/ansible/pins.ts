import { fileURLToPath } from "node:url";

/** Requirements with hashes for a version of Python 3 and those after it. */
export interface Pin {
  /** Minor version of Python. */
  from: number;
  file: string;
}

/**
 * The latest ansible-core for each version of Python, latest Python first. Servers that have the
 * wheels and servers that ask PyPI install the same files.
 */
export const PINS: Pin[] = [11, 10, 9].map((from) => ({
  from,
  file: fileURLToPath(new URL(`./requirements-3.${from}.txt`, import.meta.url)),
}));

/**
 * The machine's own Python. It is better than one of a version manager such as pyenv: it is faster,
 * any account may use it, and nobody removes it to update another project.
 */
export const MACHINE_PYTHON = "/usr/bin/python3";

/** Returns the pin for a minor version of Python 3. */
export const pinFor = (minor: number): Pin | undefined => PINS.find(({ from }) => minor >= from);

/** Returns the packages of a file of requirements by name. */
export function readRequirements(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^([\w-]+)==(\S+)/gm)].map(([, name, version]) => [name!, version!] as const),
  );
}
