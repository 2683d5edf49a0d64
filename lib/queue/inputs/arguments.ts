import { invalidField } from "../../base/errors.ts";
import { type Option, OPTIONS } from "./ansible_options.ts";
import { hasControl } from "../../base/text/control.ts";
import { isOwnVariable } from "../../execution/ansible/own_variable.ts";
import { parseJsonObject, VARIABLE_NAME } from "../../base/fields.ts";

/** An option with its value. */
interface GivenOption {
  option: Option;
  /** Its long name without the dashes. */
  name: string;
  value: string | null;
}

const refuse = (key: string, params: Record<string, string> = {}) =>
  invalidField("arguments", key, params);

/** Returns the beginning of a word, short enough to be quoted in a sentence. */
const shown = (word: string) => word.slice(0, 60);

/** Parsed arguments of a person who may only run tasks. */
export interface TaskArguments {
  /** Long names of all options. */
  options: Set<string>;
  /** Words for Ansible, with the long name of each option. */
  words: string[];
  /** Variables that its extra vars set. */
  variables: Record<string, unknown>;
}

/**
 * Parses the arguments of a person who may only run tasks. Throws 400 for the first option that
 * does not stay inside the task.
 */
export function readTaskArguments(words: string[]): TaskArguments {
  const read: TaskArguments = { options: new Set(), words: [], variables: {} };
  for (const { option, name, value } of readOptions(words)) {
    if (option.check === null) throw refuse("errors.arguments.beyond", { option: `--${name}` });
    const problem = value === null ? null : option.check(value);
    if (problem) throw refuse(problem);
    read.options.add(name);
    if (name === "extra-vars") Object.assign(read.variables, readVariables(value!));
    else read.words.push(value === null ? `--${name}` : `--${name}=${value}`);
  }
  return read;
}

/** Returns the long names of the options in `words`; null if they cannot be parsed. */
export function optionNames(words: string[]): Set<string> | null {
  try {
    return new Set([...readOptions(words)].map(({ name }) => name));
  } catch {
    return null;
  }
}

/** Returns the limits in `words`, some of them twice. Skips words that Ansible would refuse. */
export const limitsIn = (words: string[]): string[] =>
  words.flatMap((_, at) => limitsAt(words.slice(at, at + 2)));

/** Returns the limits in a word, and in the next one as its value. */
function limitsAt(words: string[]): string[] {
  const limits: string[] = [];
  try {
    for (const { name, value } of readOptions(words)) {
      if (name === "limit" && value !== null) limits.push(value);
    }
  } catch {
    // It is no option, or a further playbook.
  }
  return limits;
}

/**
 * Parses words as Python's argparse does: `--limit=x`, `--limit x`, `--lim x`, `-l x`, `-lx`, `-Cvl
 * x`. Words that are not options would be further playbooks. Throws for words that argparse might
 * parse in two ways.
 */
function* readOptions(words: readonly string[]): Generator<GivenOption> {
  for (let at = 0; at < words.length; at++) {
    for (const [option, inline] of splitWord(words[at]!)) {
      let value: string | null = null;
      if (option.takesValue) {
        value = inline ?? words[++at] ?? null;
        const lacking = value === null || (inline === null && value.startsWith("-"));
        if (lacking) throw refuse("errors.arguments.no_value", { option: option.names[0]! });
      }
      yield { option, name: option.names[0]!.slice(2), value };
    }
  }
}

/** Returns the options that one word names. The last one has the value inside the word, or null. */
function splitWord(word: string): [Option, string | null][] {
  if (!word.startsWith("-") || word === "-" || word === "--") {
    throw refuse("errors.arguments.no_option", { word: shown(word) });
  }
  return word.startsWith("--") ? [splitLong(word)] : splitShort(word);
}

function splitLong(word: string): [Option, string | null] {
  const [, name, value = null] = /^([^=]*)(?:=(.*))?$/s.exec(word)!;
  const exact = OPTIONS.filter(({ names }) => names.includes(name!));
  const begun = OPTIONS.filter(({ names }) => names.some((known) => known.startsWith(name!)));
  const [option, another] = exact.length > 0 ? exact : begun;
  if (!option || another) throw refuse("errors.arguments.unknown", { option: shown(name!) });
  if (value !== null && !option.takesValue) {
    throw refuse("errors.arguments.takes_none", { option: option.names[0]! });
  }
  return [option, value];
}

function splitShort(word: string): [Option, string | null][] {
  const found: [Option, string | null][] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = `-${word[at]}`;
    const option = OPTIONS.find(({ names }) => names.includes(letter));
    if (!option) throw refuse("errors.arguments.unknown", { option: shown(letter) });
    const rest = word.slice(at + 1);
    if (option.takesValue) {
      // Versions of argparse differ in the meaning of "=" after several letters.
      if (rest.startsWith("=") && at > 1) {
        throw refuse("errors.arguments.unknown", { option: shown(word) });
      }
      return [...found, [option, rest === "" ? null : rest.replace(/^=/, "")]];
    }
    found.push([option, null]);
  }
  return found;
}

/** `name=value`, with quotes around values with blanks. */
const PAIR = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/**
 * Returns the variables in `--extra-vars`: a JSON object, or words of `name=value`, but never a
 * file.
 */
function readVariables(text: string): Record<string, unknown> {
  if (text.trimStart().startsWith("@")) throw refuse("errors.arguments.extra_vars_file");
  const variables = text.trimStart().startsWith("{") ? parseJsonObject(text) : readPairs(text);
  // Ansible's own JSON notation for other values, such as encrypted texts.
  if (variables === null || /"__ansible_\w+":/.test(JSON.stringify(variables))) {
    throw refuse("errors.arguments.extra_vars");
  }
  for (const name of Object.keys(variables)) {
    if (!VARIABLE_NAME.test(name)) throw refuse("errors.arguments.extra_vars");
    if (isOwnVariable(name)) {
      throw refuse("errors.own_variable", { name });
    }
  }
  return variables;
}

function readPairs(text: string): Record<string, string> | null {
  if (hasControl(text) || text.replace(PAIR, "").trim() !== "") return null;
  const pairs = (text.match(PAIR) ?? []).map((word) => /^([^="']+)=(.*)$/.exec(word));
  if (pairs.length === 0 || pairs.includes(null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair![1], unquote(pair![2]!)]));
}

const unquote = (text: string) => text.replace(/^(["'])(.*)\1$/, "$2");
