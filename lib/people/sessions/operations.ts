import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { sessionSchema, SIGN_IN_BYTES_MAX, signInForm, signInOptionsSchema } from "./schema.ts";

const tag = "Signing in";

export const sessionOperations = {
  options: operation({
    id: "getSignInOptions",
    method: "GET",
    path: "/auth/login",
    tag,
    summary: "How one can sign in on this server",
    access: "public",
    answer: signInOptionsSchema,
  }),
  signIn: operation({
    id: "signIn",
    method: "POST",
    path: "/auth/login",
    tag,
    summary: "Sign in with a username or e-mail address; the answer sets the session's cookie",
    access: "public",
    body: signInForm,
    bodyBytesMax: SIGN_IN_BYTES_MAX,
    status: 204,
    errors: [401, 403, 429],
  }),
  signOut: operation({
    id: "signOut",
    method: "POST",
    path: "/auth/logout",
    tag,
    summary: "End the session of the cookie",
    access: "public",
    status: 204,
  }),
  listOwn: operation({
    id: "listOwnSessions",
    method: "GET",
    path: "/user/sessions",
    tag,
    summary: "Where one is signed in, last used first",
    access: "user",
    answer: z.array(sessionSchema),
  }),
  endOwnOthers: operation({
    id: "endOwnOtherSessions",
    method: "DELETE",
    path: "/user/sessions",
    tag,
    summary: "End all of one's sessions but the one that asks",
    access: "user",
  }),
  endOwn: operation({
    id: "endOwnSession",
    method: "DELETE",
    path: "/user/sessions/{session}",
    tag,
    summary: "End one of one's sessions",
    access: "user",
  }),
  list: operation({
    id: "listSessions",
    method: "GET",
    path: "/users/{userId}/sessions",
    tag,
    summary: "Where an account is signed in, last used first",
    access: "admin_or_self",
    answer: z.array(sessionSchema),
  }),
  endAll: operation({
    id: "endSessions",
    method: "DELETE",
    path: "/users/{userId}/sessions",
    tag,
    summary: "End all sessions of an account but the one that asks",
    access: "admin_or_self",
  }),
  end: operation({
    id: "endSession",
    method: "DELETE",
    path: "/users/{userId}/sessions/{session}",
    tag,
    summary: "End one session of an account",
    access: "admin_or_self",
  }),
};
