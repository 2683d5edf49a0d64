import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { openAccount } from "../../access/scope.ts";
import { endSession, endSessions, listSessions } from "./open_sessions.ts";
import { sessionSchema } from "./schema.ts";

const tag = "Signing in";

export const sessionOperations = [
  operation({
    id: "listOwnSessions",
    method: "GET",
    path: "/user/sessions",
    tag,
    summary: "List the sessions of the signed-in user",
    details: "Ordered by last use, latest first.",
    access: "user",
    scopes: ["admin"],
    answer: z.array(sessionSchema),
    run: ({ scope }) => listSessions(openAccount(scope, scope.actor.id)),
  }),
  operation({
    id: "endOwnOtherSessions",
    method: "DELETE",
    path: "/user/sessions",
    tag,
    summary: "End all other sessions of the signed-in user",
    access: "user",
    run: ({ scope }) => endSessions(openAccount(scope, scope.actor.id)),
  }),
  operation({
    id: "endOwnSession",
    method: "DELETE",
    path: "/user/sessions/{session}",
    tag,
    summary: "End a session of the signed-in user",
    access: "user",
    run: ({ scope, params }) => endSession(openAccount(scope, scope.actor.id), params.session),
  }),
  operation({
    id: "listSessions",
    method: "GET",
    path: "/users/{userId}/sessions",
    tag,
    summary: "List the sessions of a user",
    details: "Ordered by last use, latest first.",
    access: "admin_or_self",
    answer: z.array(sessionSchema),
    run: ({ scope }) => listSessions(scope),
  }),
  operation({
    id: "endSessions",
    method: "DELETE",
    path: "/users/{userId}/sessions",
    tag,
    summary: "End all sessions of a user",
    details: "The session that sends the request stays.",
    access: "admin_or_self",
    run: ({ scope }) => endSessions(scope),
  }),
  operation({
    id: "endSession",
    method: "DELETE",
    path: "/users/{userId}/sessions/{session}",
    tag,
    summary: "End a session of a user",
    access: "admin_or_self",
    run: ({ scope, params }) => endSession(scope, params.session),
  }),
];
