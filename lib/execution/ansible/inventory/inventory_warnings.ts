/** Number of warnings about one inventory, and characters of each. */
const WARNINGS_MAX = 20;
const WARNING_MAX = 500;

interface Complaint {
  plugin: string;
  text: string;
}

/**
 * Returns what Ansible says of an inventory that it has read, a line each. Ansible tries each way
 * to read a file and complains about all of them, so one complaint stands for a file.
 */
export function inventoryWarnings(stderr: string): string[] {
  const warnings: string[] = [];
  let complaints: Complaint[] = [];
  for (const text of blocksOf(stderr)) {
    const complaint = COMPLAINT.exec(text);
    if (complaint) {
      complaints.push({ plugin: complaint[1], text: complaint[2] });
      continue;
    }
    const source = UNREAD.exec(text)?.[1];
    if (source !== undefined) {
      const cause = causeOf(complaints);
      complaints = [];
      warnings.push(cause ? `${source}: ${cause.text}` : text);
    } else if (!NOTHING.test(text)) warnings.push(text);
  }
  return warnings.slice(0, WARNINGS_MAX).map((text) => text.slice(0, WARNING_MAX));
}

/** Why Ansible could not read an inventory, and where. */
export interface InventoryError {
  file: string;
  /** Null if Ansible names none. */
  line: number | null;
  column: number | null;
  message: string;
  /** Number of lines of the output before the first one that says so. */
  lines_before: number;
}

/** Where a file is not YAML, since ansible-core 2.19 and before, and where it is not INI. */
const PLACES = [
  /^Origin: \S[^\n]*?:(\d+)(?::(\d+))?$/m,
  /error appears to be in '[^']+': line (\d+), column (\d+)/,
  / plugin: \S+:(\d+): /,
];

/** Returns the error of the first inventory that Ansible could not read; null if it says none. */
export function inventoryError(output: string): InventoryError | null {
  const complaints: (Complaint & { whole: string; lines_before: number })[] = [];
  let lines = 0;
  for (const block of splitBlocks(output)) {
    const lines_before = lines;
    lines += block.split("\n").length - 1;
    const text = lineOf(block);
    const [, plugin, said] = COMPLAINT.exec(text) ?? [];
    if (plugin) complaints.push({ plugin, text: said, whole: block, lines_before });
    const file = UNREAD.exec(text)?.[1];
    if (file === undefined) continue;
    const cause = causeOf(complaints);
    if (!cause) return null;
    const texts = [cause.whole, cause.whole.replace(/\s+/g, " ")];
    const [, line, column] = PLACES.flatMap((place) =>
      texts.map((text) => place.exec(text))
    ).find((found) => found !== null) ?? [];
    return {
      file,
      line: line ? Number(line) : null,
      column: column ? Number(column) : null,
      message: cause.text.replace(NOT_YAML, "").replace(/ The error appears to be in .*$/, "")
        .replace(/^\S+:\d+: /, "").slice(0, WARNING_MAX),
      lines_before: cause.lines_before,
    };
  }
  return null;
}

/** Before ansible-core 2.19, a file that is not YAML is said first not to be JSON. */
const NOT_YAML = /^We were unable to read either as JSON nor YAML.*?(?=Syntax Error)/;

/** Removes folders of the run from a text. Ansible before 2.19 breaks long paths. */
export const withoutFolders = (text: string, folders: string[]): string =>
  folders.reduce(
    (left, folder) =>
      left.replace(new RegExp(`${[...folder].map(RegExp.escape).join("\\s?")}/?`, "g"), ""),
    text,
  );

/** The first paragraph of a message, without the line breaks of Ansible before 2.19. */
const lineOf = (block: string): string =>
  block.split("\n\n", 1)[0].replace(/^\[?[A-Z ]+\]?[:!]\s+(?:\* )?/, "").replace(/\s+/g, " ")
    .trim();

const COMPLAINT = /^Failed to parse (?:inventory with '|.* with )([\w.]+)'? plugin: (.*)/;
const UNREAD = /^Unable to parse (.*) as an inventory source/;
/** Said again where there is nothing else. */
const NOTHING = /^No inventory was parsed/;

/** Every file is tried as YAML and as INI, so what other plugins say is more to the point. */
const causeOf = <Said extends Complaint>(complaints: Said[]): Said | undefined =>
  complaints.find(({ plugin }) => plugin !== "yaml" && plugin !== "ini") ?? complaints.at(-1);

/**
 * Whether Ansible failed because there is nothing in the inventory that it could read. It complains
 * about files of a folder, but not about the folder itself.
 */
export function isEmptyInventory(stderr: string): boolean {
  const blocks = blocksOf(stderr);
  const last = blocks.findLastIndex((text) => UNREAD.test(text));
  return blocks.some((text) => NOTHING.test(text)) && !COMPLAINT.test(blocks[last - 1] ?? "");
}

const splitBlocks = (stderr: string): string[] =>
  stderr.split(/^(?=\[?(?:[A-Z]+ )?(?:WARNING|ERROR)\b)/m);

const blocksOf = (stderr: string): string[] =>
  splitBlocks(stderr).map(lineOf).filter((text) => text !== "");
