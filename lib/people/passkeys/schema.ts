import * as z from "zod";
import { requiredLineField } from "../../base/fields.ts";

/** Texts of a browser's answer. All are base64url, as in WebAuthn's own JSON. */
const base64url = z.string().regex(/^[\w-]*$/).max(8_000);
const answer = {
  id: base64url.min(1).max(1_400),
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}),
};

/** Proof of an existing passkey. */
const assertionSchema = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});
export type Assertion = z.output<typeof assertionSchema>;

/** A passkey that was just created. */
const attestationSchema = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
});
export type Attestation = z.output<typeof attestationSchema>;

/** Parses an answer, which is one text in a form. */
const jsonOf = <T extends z.ZodType>(schema: T) =>
  z.string("errors.passkey_missing").min(1, "errors.passkey_missing").max(20_000).transform(
    (text, ctx): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        ctx.addIssue({ code: "custom", message: "errors.passkey_missing" });
        return z.NEVER;
      }
    },
  ).pipe(schema);

export const passkeyForm = z.object({
  name: requiredLineField(100),
  credential: jsonOf(attestationSchema),
  /** Password of accounts that have one here. */
  current_password: z.string().max(1024, "errors.too_long").optional(),
});
export type PasskeyForm = z.output<typeof passkeyForm>;

export const passkeySignInForm = z.object({ credential: jsonOf(assertionSchema) });

export interface PasskeyView {
  id: string;
  name: string;
  created: string;
  last_used: string | null;
  /** Whether it is synced to other devices. */
  synced: boolean;
}

export interface PasskeyRow {
  credential_id: string;
  public_key: Uint8Array;
  /** How often it was used, on devices that count uses; 0 on others. */
  counter: number;
  transports: string[];
  name: string;
  created: string;
  last_used: string | null;
  synced: boolean;
}
