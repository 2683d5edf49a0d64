import * as z from "zod";
import { operation } from "../access/operation.ts";
import { eventQuery, eventSchema, type EventView, exportQuery, lastEventQuery } from "./schema.ts";
import { exportEvents, exportOwnEvents, listEvents, listOwnEvents } from "./service.ts";
import { csvLine } from "../base/text/csv_line.ts";
import { createPause } from "../base/time/pause.ts";
import { textStream } from "../http/text_stream.ts";
import { tell } from "../i18n/tell.ts";
import type { Translate } from "../i18n/translate.ts";
import { paged } from "../access/answer.ts";

const tag = "Events";
const FILTERED = "Latest first. With a filter by person or object, the steps that follow from " +
  "the start of a task are left out.";
const answer = z.array(eventSchema);

/** Events of an export are as those of a list. */
const details = "Latest first, at most 100,000. For older ones, send the id of the last one as " +
  "`before`.";
const csv = { tag, details, query: exportQuery, answer: z.string(), contentType: "text/csv" };
const lines = { ...csv, contentType: "application/x-ndjson" };

const listed = ({ events, hasNext }: { events: EventView[]; hasNext: boolean }) =>
  paged(events, hasNext, ({ id }) => ({ before: id }));

/** Columns of an export, in their order. */
const COLUMNS = [
  "created",
  "id",
  "project_id",
  "project_name",
  "user_id",
  "username",
  "object_type",
  "object_id",
  "object_name",
  "action",
  "description",
  "address",
  "user_agent",
  "changes",
  "changes_left",
] as const satisfies readonly (keyof EventView)[];

/** The first line of an export. */
const EVENTS_CSV_HEAD = csvLine(COLUMNS);

/** Returns the line of an event, with its sentence in place of its description. */
const eventCsv = (event: EventView, description: string): string => {
  const changes = event.changes && JSON.stringify(event.changes);
  const shown = { ...event, description, changes };
  return csvLine(COLUMNS.map((name) => shown[name]));
};

/** Returns a download of events as CSV. They are read as fast as the client takes them. */
const csvExport = (events: AsyncIterable<EventView>, t: Translate): Response =>
  download(
    withHead(EVENTS_CSV_HEAD, events, (event) => eventCsv(event, tell(event.description, t))),
    "text/csv; charset=utf-8",
    "callboard_events.csv",
  );

/** Returns a download of events with one JSON object in each line. */
const linesExport = (events: AsyncIterable<EventView>, t: Translate): Response =>
  download(
    withHead("", events, (event) =>
      JSON.stringify({ ...event, description: tell(event.description, t) }) + "\n"),
    "application/x-ndjson",
    "callboard_events.jsonl",
  );

/** Characters that are sent together. */
const CHUNK = 16_384;

async function* withHead(
  head: string,
  events: AsyncIterable<EventView>,
  lineOf: (event: EventView) => string,
): AsyncGenerator<string> {
  const pause = createPause();
  let text = head;
  for await (const event of events) {
    text += lineOf(event);
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
    if (pause.isDue()) await pause.take();
  }
  if (text) yield text;
}

const download = (texts: AsyncGenerator<string>, type: string, name: string): Response =>
  new Response(textStream(() => texts), {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });

export const eventOperations = [
  operation({
    ...csv,
    id: "exportOwnEventsAsCsv",
    method: "GET",
    path: "/events.csv",
    summary: "Download the events of the signed-in user's projects as CSV",
    access: "user",
    run: ({ scope, query, ui }) => csvExport(exportOwnEvents(scope, query), ui.t),
  }),
  operation({
    ...lines,
    id: "exportOwnEventsAsJsonLines",
    method: "GET",
    path: "/events.jsonl",
    summary: "Download the events of the signed-in user's projects as JSON lines",
    access: "user",
    run: ({ scope, query, ui }) => linesExport(exportOwnEvents(scope, query), ui.t),
  }),
  operation({
    ...csv,
    id: "exportEventsAsCsv",
    method: "GET",
    path: "/project/{projectId}/events.csv",
    summary: "Download the events of a project as CSV",
    access: "member",
    run: ({ scope, query, ui }) => csvExport(exportEvents(scope, query), ui.t),
  }),
  operation({
    ...lines,
    id: "exportEventsAsJsonLines",
    method: "GET",
    path: "/project/{projectId}/events.jsonl",
    summary: "Download the events of a project as JSON lines",
    access: "member",
    run: ({ scope, query, ui }) => linesExport(exportEvents(scope, query), ui.t),
  }),
  operation({
    id: "listOwnEvents",
    method: "GET",
    path: "/events",
    tag,
    summary: "List the events of the signed-in user's projects",
    details: FILTERED,
    access: "user",
    query: eventQuery,
    answer,
    run: async ({ scope, query }) => listed(await listOwnEvents(scope, query)),
  }),
  operation({
    id: "listOwnLastEvents",
    method: "GET",
    path: "/events/last",
    tag,
    summary: "List the latest events of the signed-in user's projects",
    details: "At most 200.",
    access: "user",
    query: lastEventQuery,
    answer,
    run: async ({ scope, query }) => listed(await listOwnEvents(scope, query)),
  }),
  operation({
    id: "listEvents",
    method: "GET",
    path: "/project/{projectId}/events",
    tag,
    summary: "List the events of a project",
    details: FILTERED,
    access: "member",
    query: eventQuery,
    answer,
    run: async ({ scope, query }) => listed(await listEvents(scope, query)),
  }),
  operation({
    id: "listLastEvents",
    method: "GET",
    path: "/project/{projectId}/events/last",
    tag,
    summary: "List the latest events of a project",
    details: "At most 200.",
    access: "member",
    query: lastEventQuery,
    answer,
    run: async ({ scope, query }) => listed(await listEvents(scope, query)),
  }),
];
