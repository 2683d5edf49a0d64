/** A line `NAME=value` of a file of variables. */
interface Assignment {
  name: string;
  value: string;
  /** Number of its first line. */
  line: number;
}

/** Something in a file of variables that may not be what its author meant. */
export interface OddLine {
  line: number;
  why: string;
}

/** Where a reader is in a line. */
type Place =
  | "start"
  | "comment"
  | "name"
  | "before value"
  | "plain"
  | "escaped"
  | "single"
  | "double"
  | "escaped in double";

interface Reader {
  place: Place;
  name: string;
  value: string;
  /** Length of the value without the blanks that may turn out to be at its end. */
  kept: number;
  /** Number of this line, and of the first one of the assignment. */
  line: number;
  first: number;
  /** The character before this one. */
  last: string;
  set: Map<string, Assignment>;
  odd: OddLine[];
}

/**
 * Reads a file of variables as systemd does (`EnvironmentFile=`: `parse_env_file_internal()` in its
 * src/basic/env-file.c), which expands nothing. scripts/settings.sh does the same where no Deno
 * runs yet. Of two lines with one name, the later one counts.
 */
export function parseEnvironmentFile(text: string): { set: Assignment[]; odd: OddLine[] } {
  const reader: Reader = {
    ...{ place: "start", name: "", value: "", kept: 0, line: 1, first: 1, last: "" },
    set: new Map(),
    odd: [],
  };
  for (const c of text.endsWith("\n") ? text : `${text}\n`) {
    const ends = c === "\n" || c === "\r";
    STEPS[reader.place](reader, c, ends, ends || c === " " || c === "\t");
    if (c === "\n") reader.line++;
    reader.last = c;
  }
  if (/single|double/.test(reader.place)) note(reader, "the quote is not closed");
  if (reader.place !== "start") assign(reader);
  return { set: [...reader.set.values()], odd: reader.odd };
}

type Step = (reader: Reader, c: string, ends: boolean, blank: boolean) => void;

/** Meaning of a character, by the place at which it is found. */
const STEPS: Record<Place, Step> = {
  start(reader, c, _ends, blank) {
    if (blank) return;
    Object.assign(reader, { first: reader.line, name: c, value: "", kept: 0 });
    reader.place = c === "#" || c === ";" ? "comment" : "name";
  },
  comment(reader, _c, ends) {
    if (!ends) return;
    reader.place = "start";
    const why = 'the comment ends with "\\", so some versions of systemd skip the next line';
    if (reader.last === "\\") note(reader, why);
  },
  name(reader, c, ends) {
    if (c === "=") reader.place = "before value";
    else if (!ends) reader.name += c;
    else {
      reader.place = "start";
      note(reader, "this is not NAME=value, so the line is ignored");
    }
  },
  "before value"(reader, c, ends, blank) {
    if (ends) assign(reader);
    else if (c === "'") reader.place = "single";
    else if (c === '"') reader.place = "double";
    else if (c === "\\") reader.place = "escaped";
    else if (!blank) {
      reader.place = "plain";
      keep(reader, c);
    }
  },
  plain(reader, c, ends, blank) {
    if (ends) {
      reader.value = reader.value.slice(0, reader.kept);
      assign(reader);
    } else if (c === "\\") {
      reader.place = "escaped";
      keep(reader, "");
    } else if (blank) reader.value += c;
    else keep(reader, c);
  },
  escaped(reader, c, ends) {
    reader.place = "plain";
    keep(reader, ends ? "" : c);
  },
  single(reader, c) {
    if (c === "'") reader.place = "before value";
    else reader.value += c;
  },
  double(reader, c) {
    if (c === '"') reader.place = "before value";
    else if (c === "\\") reader.place = "escaped in double";
    else reader.value += c;
  },
  "escaped in double"(reader, c) {
    reader.place = "double";
    if (/["\\`$]/.test(c)) reader.value += c;
    else if (c !== "\n") reader.value += `\\${c}`;
  },
};

function keep(reader: Reader, text: string): void {
  reader.value += text;
  reader.kept = reader.value.length;
}

function note({ odd, first }: Reader, why: string): void {
  odd.push({ line: first, why });
}

function assign(reader: Reader): void {
  const { value, first, set } = reader;
  const name = reader.name.trimEnd();
  reader.place = "start";
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return note(reader, `"${name}" is not a name, so the line is ignored`);
  }
  if (set.has(name)) note(reader, `${name} is set a second time`);
  set.set(name, { name, value, line: first });
}
