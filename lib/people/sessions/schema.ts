import { z } from "zod";
import type { SessionProvider } from "../../access/sessions.ts";

/** Bytes of a sign-in that are read: strangers send it. */
export const SIGN_IN_BYTES_MAX = 16 * 1024;

/** What a person types to sign in: `auth` is a username or an e-mail address. */
export const signInForm = z.object({
  auth: z.string("errors.required").trim().min(1, "errors.required").max(254, "errors.too_long"),
  password: z.string("errors.required").min(1, "errors.required").max(1024, "errors.too_long"),
  /** Of the second factor, for clients of the API; the page asks for it in a step of its own. */
  code: z.string().trim().max(40, "errors.too_long").nullish(),
});
export type SignInForm = z.output<typeof signInForm>;

/** The form that links an account with a person of the directory. */
export const directoryLinkForm = z.object({
  directory_login: signInForm.shape.auth,
  directory_password: signInForm.shape.password,
  /** The account's own password; accounts without one leave it out. */
  link_password: z.string().max(1024, "errors.too_long").nullish(),
});
export type DirectoryLinkForm = z.output<typeof directoryLinkForm>;

export const signInOptionsSchema = z.object({
  oidc_providers: z.array(z.object({
    id: z.string(),
    name: z.string(),
    color: z.string(),
    icon: z.string(),
    /** False when it could not be reached at the last try; the next sign-in tries again. */
    available: z.boolean(),
  })),
  login_with_password: z.boolean(),
});
/** What the API answers: how one can sign in here. */
export type SignInOptions = z.output<typeof signInOptionsSchema>;

/** Letters of a session's hash that name it: too few to be of any use. */
export const SESSION_ID_LENGTH = 16;

export const sessionSchema = z.object({
  id: z.string(),
  created: z.iso.datetime(),
  /** To within some minutes. */
  last_active: z.iso.datetime(),
  address: z.string(),
  user_agent: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
/** What the API answers: a browser, or a program, that is signed in. */
export type SessionView = z.output<typeof sessionSchema>;

/** How somebody proved who they are. */
type SignInWay = "password" | "code" | "recovery_code" | "passkey" | "provider" | "link";

/** What a way in has proved. */
export interface Proved {
  userId: number;
  way: SignInWay;
  /** Of a sign-in by password: the hash that it was checked against, which must still be the account's. */
  password?: string;
  /** The same password's hash as it is made here, where the account came with another server's. */
  fresh?: string | null;
  /** Of a sign-in by a provider. */
  provider?: SessionProvider;
}

/** What is stored of a sign-in that waits for its code. */
export interface CodeStepRow {
  proved: Proved;
  /** Codes that were tried. */
  tries: number;
  until: string;
}

/** What is stored of failed sign-ins, for an account or an address. */
export interface FailureRow {
  /** As it was at `last`: it goes down with time, in fractions. */
  count: number;
  last: string;
}
