import { hasMembers, scalarText } from "../base/text/exact_json.ts";
import type { FullHostResult } from "./schema.ts";

type Values = Record<string, unknown>;

/** The answer of a module, split into the parts that people look for. Empty parts are missing. */
export interface ResultParts {
  /** Separate texts, in reading order. */
  texts: { name: TextName; text: string }[];
  returnCode: string | null;
  /** Items of a loop. */
  items: { status: ItemStatus; label: string; parts: ResultParts }[];
  moduleArguments: Member[];
  others: Member[];
}

interface Member {
  name: string;
  text: string;
}

/** Members shown as separate texts: the command and its output. */
const TEXTS = ["cmd", "msg", "stdout", "stderr", "module_stdout", "module_stderr"] as const;
type TextName = (typeof TEXTS)[number];
type ItemStatus = "failed" | "skipped" | "changed" | "ok";

/** Members that are shown elsewhere or are of no use to people. */
const SHOWN = [...TEXTS, "rc", "results", "invocation", "changed", "failed", "skipped"];

/** Splits an answer into its parts. */
export function resultParts(values: Values): ResultParts {
  const { rc, results, invocation } = values;
  const loopVariable = (item: Values) => String(item.ansible_loop_var ?? "item");
  const items = Array.isArray(results) && results.every(isValues) ? results : null;
  const args = isValues(invocation) ? invocation.module_args : undefined;
  return {
    texts: TEXTS.map((name) => ({
      name,
      text: name === "cmd" ? commandOf(values.cmd) : textOf(values[name]),
    })).filter(({ text }) => text !== ""),
    returnCode: rc === undefined || rc === null ? null : textOf(rc),
    items: (items ?? []).map((item) => {
      const { [loopVariable(item)]: label, ansible_loop_var: _, ...rest } = item;
      return { status: statusOf(item), label: textOf(label), parts: resultParts(rest) };
    }),
    moduleArguments: isValues(args) ? membersOf(args).filter(({ text }) => text !== "") : [],
    others: membersOf(values).filter(({ name, text }) =>
      text !== "" && (!SHOWN.includes(name) || name === "results" && !items)
    ),
  };
}

/** Returns the original lengths of shortened texts, by name. */
export const shortenedTexts = (
  { result, shortened }: Pick<FullHostResult, "result" | "shortened">,
): Map<string, number> =>
  new Map(
    shortened.flatMap(({ path: [name, ...rest], length }) =>
      rest.length === 0 && typeof result?.[name] === "string" ? [[String(name), length]] : []
    ),
  );

/** Returns a command as one would type it. */
const commandOf = (words: unknown): string =>
  isTexts(words)
    ? words.map((word) => PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`).join(
      " ",
    )
    : textOf(words);

const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const isValues = (value: unknown): value is Values => hasMembers(value) && !Array.isArray(value);

const membersOf = (values: Values): Member[] =>
  Object.entries(values).map(([name, value]) => ({ name, text: textOf(value) }));

/** Returns a readable value: texts unchanged, lists of texts line by line, and others as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!hasMembers(value)) return scalarText(value);
  if (Object.keys(value).length === 0) return "";
  if (isTexts(value)) return value.join("\n");
  return JSON.stringify(value, null, 2);
}

/** Since 2.21, ansible-core does not report that an item failed, only its return code. */
function statusOf({ failed, unreachable, skipped, skip_reason, changed, rc }: Values): ItemStatus {
  if (failed || unreachable || typeof rc === "number" && rc !== 0 && failed === undefined) {
    return "failed";
  }
  if (skipped || skip_reason) return "skipped";
  return changed ? "changed" : "ok";
}
