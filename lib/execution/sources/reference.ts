import { referTo, type Secret } from "../../base/secret.ts";
import type { PlanStorage } from "./plan_storage.ts";

/** The place of a secret that is stored elsewhere. */
export interface SecretReference {
  storage: PlanStorage;
  path: string;
  /**
   * Names of the text, of which the first that exists is used. Without one of them it is the only
   * text at the path.
   */
  names: readonly string[];
  /** Whether only these names will do, and an empty text if there is none of them. */
  optional?: boolean;
  /** Whether it is the text of a file, which must end with its line. */
  isFile?: boolean;
  /** Set for a certificate, which is signed there instead of read. */
  sign?: Signing;
}

/** A key to be signed for one run. */
export interface Signing {
  /** The public half as a line of `authorized_keys`. */
  publicKey: string;
  /** Name to sign in with on hosts; "" if the storage decides. */
  login: string;
}

/** Returns a secret of a plan that is read when the run starts. */
export const referredSecret = (reference: SecretReference): Secret => referTo(reference);

/** Members of a plan's key that are no secrets, but may lie beside one. */
export type PlainReferences = Partial<Record<"login" | "certificate", Secret>>;
