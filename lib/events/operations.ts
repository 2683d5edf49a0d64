import { z } from "zod";
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
    summary: "What happened in the projects you are a member of, newest first",
    access: "user",
    query: eventQuery,
    answer,
  }),
  listOwnLast: operation({
    id: "listOwnLastEvents",
    method: "GET",
    path: "/events/last",
    tag,
    summary: "The 200 newest events of the projects you are a member of",
    access: "user",
    query: lastEventQuery,
    answer,
  }),
  list: operation({
    id: "listEvents",
    method: "GET",
    path: "/project/{projectId}/events",
    tag,
    summary: "What happened in the project, newest first",
    access: "member",
    query: eventQuery,
    answer,
  }),
  listLast: operation({
    id: "listLastEvents",
    method: "GET",
    path: "/project/{projectId}/events/last",
    tag,
    summary: "The project's 200 newest events",
    access: "member",
    query: lastEventQuery,
    answer,
  }),
};
