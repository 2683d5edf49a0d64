import * as z from "zod";
import { parseJsonObject } from "../../base/fields.ts";
import { branchField } from "../../execution/ansible/results/fields.ts";
import { argumentsText } from "../../tasks/start_form.ts";
import type { Item } from "./source.ts";

/** Formats of the API and of database drivers. Go's zero time counts as missing. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d* ?(Z|[+-]\d\d:?\d\d)?/;

/** Parses a time in any stored or returned format. The default zone is UTC. */
export function timeOf(value: unknown): Date | null {
  const match = TIME.exec(String(value ?? ""));
  if (!match || match[1].startsWith("0001")) return null;
  const time = new Date(`${match[1]}T${match[2]}${match[3] ?? "Z"}`);
  return Number.isNaN(time.getTime()) ? null : time;
}

const isoOf = (value: unknown) => timeOf(value)?.toISOString() ?? null;

/** Time when a task was created, or else started, or else ended. */
export const createdAt = ({ created, start, end }: Item): string | null =>
  isoOf(created) ?? isoOf(start) ?? isoOf(end);

const text = (max: number) =>
  z.unknown().transform((value) => typeof value === "string" ? value.slice(0, max) : "");
const name = (max: number) => text(max).transform((value) => value || null);
const id = z.unknown().transform((value) => Number(value) || null);
const flag = z.unknown().transform(Boolean);
const time = z.unknown().transform(isoOf);
/** Words as a list, or as one text with commas. */
const words = z.union([z.string(), z.array(z.string())]).nullish().catch(null)
  .transform((value) => {
    const list = typeof value === "string" ? value.split(",") : value ?? [];
    return list.map((word) => word.trim()).filter((word) => word !== "");
  });
const answers = z.unknown().transform((value) =>
  typeof value === "string" ? parseJsonObject(value) ?? {} : {}
);
const params = z.object({
  limit: words,
  tags: words,
  skip_tags: words,
  debug: flag,
  dry_run: flag,
  diff: flag,
}).partial().nullish().catch(null);

/** A finished task of another server. Invalid optional members count as missing. */
export const taskItem = z.object({
  id: z.number(),
  template_id: z.number(),
  status: z.enum(["success", "error", "stopped"]),
  message: text(1000),
  start: time,
  end: time,
  user_id: id,
  environment: answers,
  arguments: argumentsText.catch(null),
  git_branch: branchField.catch(null),
  inventory_id: id,
  limit: words,
  /** The database's name for `limit`. */
  hosts_limit: words,
  params,
  debug: flag,
  dry_run: flag,
  diff: flag,
  version: name(100),
  build_task_id: id,
  commit_hash: name(64),
  commit_message: text(500),
});
export type TaskItem = z.output<typeof taskItem>;
