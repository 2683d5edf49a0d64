interface KnownSetting {
  name: string;
  /** Default value; empty for none. */
  fallback: string;
  /** English, with Markdown's `code`. */
  meaning: string;
}

interface Section {
  title: string;
  settings: KnownSetting[];
}

const DOCUMENT = new URL("../../../docs/settings.md", import.meta.url);
const SETTING = /^`(CALLBOARD_[A-Z_]+)`$/;

/** Returns the settings that docs/settings.md explains, in its sections. */
export async function readReference(): Promise<Section[]> {
  const sections: Section[] = [];
  for (const line of (await Deno.readTextFile(DOCUMENT)).split("\n")) {
    if (line.startsWith("## ")) sections.push({ title: line.slice(3), settings: [] });
    const [, first = "", fallback, meaning] = line.split(/(?<!\\)\|/).map(plain);
    const name = SETTING.exec(first)?.[1];
    if (!name) continue;
    sections.at(-1)!.settings.push({ name, fallback: fallback.replaceAll("`", ""), meaning });
  }
  return sections.filter(({ settings }) => settings.length > 0);
}

/** Returns the text of a table's cell, without escapes and without the addresses of links. */
const plain = (cell: string): string =>
  cell.trim().replaceAll("\\|", "|").replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1");
