import { z } from "zod";

/** Letters of a remembered browser's hash that name it. */
export const BROWSER_ID_LENGTH = 16;

/** A code of the app, or one of the recovery codes, as people type them: with blanks, in capitals. */
const code = z.string("errors.required").trim().min(1, "errors.required").max(
  40,
  "errors.too_long",
);

/** What is asked for after the password. */
export const codeForm = z.object({
  code,
  /** Ticked: this browser is not asked again for some time. */
  remember: z.literal("true").optional().catch(undefined),
});
export type CodeForm = z.output<typeof codeForm>;

/** What sets the second factor up: the first code of the app shows that it has the secret. */
export const enrolForm = z.object({
  /** The sealed secret, as the page had it. */
  setup: z.string("errors.required").max(1000, "errors.too_long"),
  code,
  /** Of accounts that have a password here. */
  current_password: z.string().max(1024, "errors.too_long").optional(),
});
export type EnrolForm = z.output<typeof enrolForm>;

/** What is shown of an account's second factor. */
export interface SecondFactorView {
  since: string;
  /** Recovery codes that were not used yet. */
  recovery_codes: number;
}

/** What is stored of it. */
export interface SecondFactorRow {
  created: string;
  /** The secret that the app has, too, sealed. */
  secret: Uint8Array;
  /** The time step of the newest code that was used: it and those before it count no more. */
  last_step: number;
  /** Hashes of the recovery codes that were not used yet. */
  recovery: string[];
}

/** A browser that is not asked for a code. */
export interface TrustedBrowserRow {
  created: string;
  last_used: string;
  address: string;
  user_agent: string;
}

/** What is shown of one. */
export interface TrustedBrowserView extends TrustedBrowserRow {
  id: string;
}
