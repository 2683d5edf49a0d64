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

/** The first paragraph of a message, without the line breaks of Ansible before 2.19. */
const lineOf = (block: string): string =>
  block.split("\n\n", 1)[0].replace(/^\[?[A-Z ]+\]?[:!]\s+(?:\* )?/, "").replace(/\s+/g, " ")
    .trim();

const COMPLAINT = /^Failed to parse (?:inventory with '|.* with )([\w.]+)'? plugin: (.*)/;
const UNREAD = /^Unable to parse (.*) as an inventory source/;
/** Said again where there is nothing else. */
const NOTHING = /^No inventory was parsed/;

/** Every file is tried as YAML and as INI, so what other plugins say is more to the point. */
const causeOf = (complaints: Complaint[]): Complaint | undefined =>
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

const blocksOf = (stderr: string): string[] =>
  stderr.split(/^(?=\[?(?:[A-Z]+ )?(?:WARNING|ERROR)\b)/m).map(lineOf).filter((text) =>
    text !== ""
  );
