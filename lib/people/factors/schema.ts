import * as z from "zod";

/** How many letters of a trusted browser's hash form its id. */
export const BROWSER_ID_LENGTH = 16;

/** A code of the app or a recovery code, as people type it: with spaces, in capitals. */
const code = z.string("errors.required").trim().min(1, "errors.required").max(
  40,
  "errors.too_long",
);

/** Form of the code that is required after the password. */
export const codeForm = z.object({
  code,
  /** Set if this browser is not to be asked again for some time. */
  remember: z.literal("true").optional().catch(undefined),
});
export type CodeForm = z.output<typeof codeForm>;

/** Form that sets up the second factor. The first code shows that the app has the secret. */
export const enrolForm = z.object({
  /** The sealed secret, as the page contained it. */
  setup: z.string("errors.required").max(1000, "errors.too_long"),
  code,
  /** Password of accounts that have one here. */
  current_password: z.string().max(1024, "errors.too_long").optional(),
});
export type EnrolForm = z.output<typeof enrolForm>;

export interface SecondFactorView {
  since: string;
  /** How many recovery codes are unused. */
  recovery_codes: number;
}

export interface SecondFactorRow {
  created: string;
  /** The sealed secret, which the app has as well. */
  secret: Uint8Array;
  /** Time step of the latest code that was used. Neither it nor an earlier one counts any more. */
  last_step: number;
  /** Hashes of the unused recovery codes. */
  recovery: string[];
}

/** Stored row of a trusted browser, which is not asked for a code. */
export interface TrustedBrowserRow {
  created: string;
  last_used: string;
  address: string;
  user_agent: string;
}

export interface TrustedBrowserView extends TrustedBrowserRow {
  id: string;
}
