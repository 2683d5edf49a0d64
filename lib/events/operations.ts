import * as z from "zod";
import { operation } from "../access/operation.ts";
import { eventQuery, eventSchema, exportQuery, lastEventQuery } from "./schema.ts";

const tag = "Events";
const FILTERED = "Latest first. With a filter by person or object, the steps that follow from " +
  "the start of a task are left out.";
const answer = z.array(eventSchema);

/** Events of an export are as those of a list. */
const details = "Latest first, at most 100,000. For older ones, send the id of the last one as " +
  "`before`.";
const csv = { tag, details, query: exportQuery, answer: z.string(), contentType: "text/csv" };
const lines = { ...csv, contentType: "application/x-ndjson" };

export const eventOperations = {
  ownCsv: operation({
    ...csv,
    id: "exportOwnEventsAsCsv",
    method: "GET",
    path: "/events.csv",
    summary: "Download the events of the signed-in user's projects as CSV",
    access: "user",
  }),
  ownLines: operation({
    ...lines,
    id: "exportOwnEventsAsJsonLines",
    method: "GET",
    path: "/events.jsonl",
    summary: "Download the events of the signed-in user's projects as JSON lines",
    access: "user",
  }),
  csv: operation({
    ...csv,
    id: "exportEventsAsCsv",
    method: "GET",
    path: "/project/{projectId}/events.csv",
    summary: "Download the events of a project as CSV",
    access: "member",
  }),
  lines: operation({
    ...lines,
    id: "exportEventsAsJsonLines",
    method: "GET",
    path: "/project/{projectId}/events.jsonl",
    summary: "Download the events of a project as JSON lines",
    access: "member",
  }),
  listOwn: operation({
    id: "listOwnEvents",
    method: "GET",
    path: "/events",
    tag,
    summary: "List the events of the signed-in user's projects",
    details: FILTERED,
    access: "user",
    query: eventQuery,
    answer,
  }),
  listOwnLast: operation({
    id: "listOwnLastEvents",
    method: "GET",
    path: "/events/last",
    tag,
    summary: "List the latest events of the signed-in user's projects",
    details: "At most 200.",
    access: "user",
    query: lastEventQuery,
    answer,
  }),
  list: operation({
    id: "listEvents",
    method: "GET",
    path: "/project/{projectId}/events",
    tag,
    summary: "List the events of a project",
    details: FILTERED,
    access: "member",
    query: eventQuery,
    answer,
  }),
  listLast: operation({
    id: "listLastEvents",
    method: "GET",
    path: "/project/{projectId}/events/last",
    tag,
    summary: "List the latest events of a project",
    details: "At most 200.",
    access: "member",
    query: lastEventQuery,
    answer,
  }),
};
