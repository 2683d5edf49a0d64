import { operation } from "../http/operation.ts";
import { signInForm, signInOptionsSchema } from "./schema.ts";

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
};
