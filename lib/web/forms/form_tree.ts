import * as z from "zod";
import { type Def, defOf } from "../schema_def.ts";

/** A posted form with its dotted names nested. Every leaf is a text. */
export interface FormTree {
  [name: string]: string | FormTree;
}

type Node = string | FormTree | undefined;

/**
 * Converts a form's values to the types of the API's schema: "3" becomes a number, a ticked
 * checkbox true, and a blank choice null. Unreadable values stay texts, which the schema refuses.
 */
export function asSchemaWants(schema: z.core.$ZodType, node: Node, blankIsNull = false): unknown {
  const { def, mayMiss } = defOf(schema, blankIsNull);
  if (def.type === "union") return asOneOf(def.options, node, mayMiss);
  // Browsers do not send unticked checkboxes.
  if (node === undefined) return def.type === "boolean" && !mayMiss ? false : undefined;
  if (def.type === "array") return items(node).map((item) => asSchemaWants(def.element, item));
  if (typeof node === "string") return asLeaf(def, node, mayMiss);
  switch (def.type) {
    case "object":
      return mapMembers(def.shape, (name) => asSchemaWants(def.shape[name], node[name]));
    case "record":
      return mapMembers(node, (name) => asSchemaWants(def.valueType, node[name]));
    default:
      return node;
  }
}

/** Converts with the first alternative that accepts the value, or else with the first one. */
function asOneOf(options: readonly z.core.$ZodType[], node: Node, blankIsNull: boolean): unknown {
  const readings = options.map((option) => asSchemaWants(option, node, blankIsNull));
  const taken = readings.findIndex((value, n) => z.safeParse(options[n], value).success);
  return readings[Math.max(0, taken)];
}

function asLeaf(def: Def, text: string, blankIsNull: boolean): unknown {
  switch (def.type) {
    case "boolean":
      return !["", "0", "false", "off"].includes(text);
    case "number":
      if (text.trim() === "") return blankIsNull ? null : undefined;
      return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : text;
    case "null":
      return text === "" ? null : text;
    case "literal":
      return def.values.find((value) => String(value) === text) ?? text;
    case "enum":
      return text === "" && blankIsNull && !Object.values(def.entries).includes("") ? null : text;
    default:
      return text;
  }
}

/**
 * Returns the items of a list in order of their numbers, which may have gaps after rows were
 * removed.
 */
function items(node: string | FormTree): Node[] {
  if (typeof node === "string") return node === "" ? [] : [node];
  return Object.keys(node).filter((name) => /^\d{1,6}$/.test(name))
    .toSorted((a, b) => Number(a) - Number(b)).map((name) => node[name]);
}

function mapMembers(members: object, read: (name: string) => unknown) {
  const values = Object.keys(members).map((name) => [name, read(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
