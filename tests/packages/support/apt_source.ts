/** A mirror of Debian that this machine uses, and the release that it is set up for. */
interface AptSource {
  mirror: string;
  suite: string;
}

const FOLDER = "/etc/apt";

/** Returns the first source of Debian's main packages in the settings of apt. */
export async function aptSource(): Promise<AptSource> {
  for (const text of await sourceFiles()) {
    for (const part of text.split(/\n\s*\n/)) {
      const found = readSource(part);
      if (found) return found;
    }
  }
  throw new Error(`No source of Debian's packages was found in ${FOLDER}.`);
}

/** Reads both formats: `deb URL SUITE main` and paragraphs with fields. */
function readSource(text: string): AptSource | null {
  const lines = text.split("\n").filter((line) => !line.startsWith("#"));
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1).trim().split(/\s+/);
  const line = lines.find((line) => line.startsWith("deb "))?.replace(/\[.*?\]/, "").split(/\s+/);
  const [mirror, suite, components] = line
    ? [line[1], line[2], line.slice(3)]
    : [field("URIs")?.[0], field("Suites")?.[0], field("Components")];
  const isDebian = mirror?.includes("/debian") && !suite?.includes("-");
  return isDebian && components?.includes("main") ? { mirror: mirror!, suite: suite! } : null;
}

async function sourceFiles(): Promise<string[]> {
  const parts = await Array.fromAsync(Deno.readDir(`${FOLDER}/sources.list.d`));
  const names = parts.map(({ name }) => `sources.list.d/${name}`).sort();
  return await Promise.all(
    ["sources.list", ...names].map((name) =>
      Deno.readTextFile(`${FOLDER}/${name}`).catch(() => "")
    ),
  );
}
