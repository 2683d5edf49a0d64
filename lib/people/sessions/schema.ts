import * as z from "zod";
import type { SessionProvider } from "../../access/sessions.ts";

/** Limit of a sign-in's body in bytes. It is low because strangers send it. */
export const SIGN_IN_BYTES_MAX = 16 * 1024;

/** Form to sign in with. `auth` is a username or an e-mail address. */
export const signInForm = z.object({
  auth: z.string("errors.required").trim().min(1, "errors.required").max(254, "errors.too_long"),
  password: z.string("errors.required").min(1, "errors.required").max(1024, "errors.too_long"),
  /** Code of the second factor, for clients of the API. The page asks for it in a separate step. */
  code: z.string().trim().max(40, "errors.too_long").nullish(),
}).meta({ example: { auth: "nora", password: "correct horse battery staple" } });
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
    /** False if it could not be reached at the last attempt; the next sign-in tries again. */
    available: z.boolean(),
  })),
  login_with_password: z.boolean(),
});
/** Ways to sign in here, as the API answers them. */
export type SignInOptions = z.output<typeof signInOptionsSchema>;

/** How many letters of a session's hash form its id. They are too few to be misused. */
export const SESSION_ID_LENGTH = 16;

export const sessionSchema = z.object({
  id: z.string(),
  created: z.iso.datetime(),
  /** Accurate to some minutes. */
  last_active: z.iso.datetime(),
  address: z.string(),
  user_agent: z.string(),
  /** Whether it is the session of the request. */
  current: z.boolean(),
});
/** A browser or program that is signed in, as the API answers it. */
export type SessionView = z.output<typeof sessionSchema>;

/** Method by which someone proved their identity. */
type SignInWay = "password" | "code" | "recovery_code" | "passkey" | "provider" | "link";

/** Result of a sign-in method's check. */
export interface VerifiedSignIn {
  userId: number;
  way: SignInWay;
  /**
   * Hash that the password was checked against. It must still be the account's. Only for a sign-in
   * by password.
   */
  password?: string;
  /** New hash of the same password, if the account came with another server's hash. */
  fresh?: string | null;
  /** Only for a sign-in by a provider. */
  provider?: SessionProvider;
}

/** Stored row of a sign-in that waits for its code. */
export interface CodeStepRow {
  proved: VerifiedSignIn;
  tries: number;
  until: string;
}
