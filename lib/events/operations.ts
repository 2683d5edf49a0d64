import * as z from "zod";
import { operation } from "../access/operation.ts";
import { eventQuery, eventSchema, lastEventQuery } from "./schema.ts";

const tag = "Events";
const answer = z.array(eventSchema);

export const eventOperations = {
  listOwn: operation({
    id: "listOwnEvents",
    method: "GET",
    path: "/events",
    tag,
    summary: "List the events of the signed-in user's projects",
    details: "Latest first.",
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
    details: "Latest first.",
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
