import * as z from "zod";
import { signedIn, type State } from "@/lib/web/state.ts";
import { asPlainNumber } from "@/lib/base/text/plain_number.ts";
import { listNumber } from "@/lib/base/lists/list_query.ts";
import type { ProjectScope } from "@/lib/access/scope.ts";
import type { ListPosition } from "@/lib/store/counted.ts";
import type { TaskFilter } from "@/lib/tasks/history/filter.ts";
import { onceForSeen } from "@/lib/access/seen/once_for_seen.ts";
import { positionInTasks } from "@/lib/tasks/history/position.ts";
import { type Status, STATUSES } from "@/lib/model/status.ts";
import { AUTOMATIC, type Trigger, TRIGGERS } from "@/lib/tasks/trigger.ts";

export const PAGE_TASKS = 20;
/** Id of the list that receives new tasks. */
export const HISTORY_LIST = "history-tasks";

/** Whether to show actions that require a global admin. The service checks this again. */
export const mayDeleteTasks = (state: State): boolean => signedIn(state).admin;

/** Query parameters of a history. */
export interface HistoryQuery {
  template?: number;
  /** A person, or a kind of automatic start. */
  by?: number | (typeof AUTOMATIC)[number];
  trigger?: Trigger;
  runner?: number;
  workflow?: number;
  status?: Status[];
  /** Days in the reader's time zone, including the last one: "2026-03-01". */
  from?: string;
  to?: string;
}

const optional = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** Invalid query parameters are ignored. */
const querySchema = z.object({
  template: listNumber(),
  by: optional(z.union([z.enum(AUTOMATIC), z.preprocess(asPlainNumber, z.number().int().min(1))])),
  trigger: optional(z.enum(TRIGGERS)),
  runner: listNumber(),
  workflow: listNumber(),
  from: optional(z.iso.date()),
  to: optional(z.iso.date()),
});

export function readHistoryQuery(params: URLSearchParams): HistoryQuery {
  const asked = params.getAll("status");
  const status = STATUSES.filter((one) => asked.includes(one));
  const query = querySchema.parse(Object.fromEntries(params));
  return { ...query, status: status.length > 0 ? status : undefined };
}

/** Reads the start of a page. It lists only tasks with a smaller id. */
export const readBefore = (params: URLSearchParams): number | undefined =>
  listNumber().parse(params.get("before") ?? undefined);

/** Returns the filter of a query, with days in `timeZone`. */
export function filterOf(
  { template, by, trigger, runner, workflow, status, from, to }: HistoryQuery,
  timeZone: string,
): Omit<TaskFilter, "limit"> {
  const asked = [trigger, typeof by === "string" ? by : undefined].filter((one) =>
    one !== undefined
  );
  return {
    templateId: template,
    userId: typeof by === "number" ? by : undefined,
    triggers: asked.length === 0
      ? undefined
      : TRIGGERS.filter((one) => asked.every((wanted) => wanted === one)),
    runnerId: runner,
    workflowId: workflow,
    statuses: status,
    ...dayRange({ from, to }, timeZone),
  };
}

/** Returns the times at which days of a time zone begin and end. */
export const dayRange = ({ from, to }: { from?: string; to?: string }, timeZone: string) => ({
  from: from && new Date(dayBegin(from, timeZone)).toISOString(),
  to: to && new Date(dayBegin(to, timeZone, 1) - 1).toISOString(),
});

/** Returns the start of a day in a time zone, or of a day some days later, in milliseconds. */
export const dayBegin = (day: string, timeZone: string, later = 0): number =>
  Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(timeZone).epochMilliseconds;

/** Positions by filter, once for all viewers who see the same. */
const placesAfter = onceForSeen((_cause: object, _scope: ProjectScope) =>
  Promise.resolve(new Map<string, Promise<ListPosition>>())
);

/** Returns the position of a first page after a change. */
export async function positionAfter(
  cause: object,
  scope: ProjectScope,
  filter: TaskFilter,
): Promise<ListPosition> {
  const known = await placesAfter(cause, scope);
  const name = JSON.stringify(filter);
  const counting = known.get(name) ?? positionInTasks(scope, filter);
  known.set(name, counting);
  return await counting;
}
