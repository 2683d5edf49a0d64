import type { z } from "zod";
import { type Def, defOf } from "./schema_def.ts";

/** A posted form with its dotted names unfolded: every leaf is a text. */
export interface FormTree {
  [name: string]: string | FormTree;
}

type Node = string | FormTree | undefined;

/**
 * The form as the schema of the API wants it: "3" where it wants a number, true for a ticked box,
 * null for a choice that was left blank. What cannot be read stays text, for the schema to refuse.
 */
export function asSchemaWants(schema: z.ZodType, node: Node, blankIsNull = false): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case "nullable":
    case "optional":
      return asSchemaWants(def.innerType!, node, true);
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "nonoptional":
      return asSchemaWants(def.innerType!, node, blankIsNull);
    case "pipe":
      return asSchemaWants(
        defOf(def.in!).type === "transform" ? def.out! : def.in!,
        node,
        blankIsNull,
      );
    case "object":
      return asObject(def, node);
    case "array":
      return node === undefined
        ? undefined
        : items(node).map((item) => asSchemaWants(def.element!, item));
    case "record":
      return typeof node === "object"
        ? mapValues(node, (item) => asSchemaWants(def.valueType!, item))
        : node;
    case "union":
      return asOneOf(def.options!, node, blankIsNull);
    default:
      return typeof node === "string"
        ? asLeaf(def, node, blankIsNull)
        : missing(def, node, blankIsNull);
  }
}

function asObject({ shape }: Def, node: Node): unknown {
  if (typeof node !== "object") return node;
  const read = Object.entries(shape!).map(([name, field]) =>
    [name, asSchemaWants(field, node[name])] as const
  );
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** The first alternative that takes what was typed, else the first. */
function asOneOf(options: z.ZodType[], node: Node, blankIsNull: boolean): unknown {
  const readings = options.map((option) => ({
    option,
    value: asSchemaWants(option, node, blankIsNull),
  }));
  return (readings.find(({ option, value }) => option.safeParse(value).success) ?? readings[0])
    .value;
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
      return def.values!.find((value) => String(value) === text) ?? text;
    case "enum":
      return text === "" && blankIsNull && !Object.values(def.entries!).includes("") ? null : text;
    default:
      return text;
  }
}

/** A box that is not ticked is not sent at all. */
const missing = (def: Def, node: Node, optional: boolean): unknown =>
  def.type === "boolean" && node === undefined && !optional ? false : node;

/** The items of a list by their numbers, which may have gaps where rows were removed. */
function items(node: string | FormTree): Node[] {
  if (typeof node === "string") return node === "" ? [] : [node];
  return Object.keys(node).filter((name) => /^\d{1,6}$/.test(name))
    .toSorted((a, b) => Number(a) - Number(b)).map((name) => node[name]);
}

const mapValues = (tree: FormTree, change: (node: Node) => unknown) =>
  Object.fromEntries(Object.entries(tree).map(([name, node]) => [name, change(node)]));
