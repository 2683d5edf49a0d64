import type { LeaseStore } from "./lease_store.ts";
import type { PlanStorage } from "./plan_storage.ts";
import type { Signing } from "./reference.ts";
import type { SourceSettings } from "./settings.ts";

/** A field that a kind adds to the form of a secret storage, and to its `params` in the API. */
export interface SourceField {
  name: string;
  required?: boolean;
  type?: "text" | "url" | "area";
  choices?: readonly string[];
  /** Value of a field that was left empty. */
  fallback?: string;
  /** Whether it is sent in a header. */
  inHeader?: boolean;
  /** Values of other fields with which it is shown. Otherwise it is ignored. */
  when?: Readonly<Record<string, string>>;
}

/** The texts at one path of a storage. */
export interface SourceValues {
  /** By their names. Empty if the path has one text without a name. */
  values: Readonly<Record<string, string>>;
  /** The whole answer, if it is one text. */
  text?: string;
}

/** The part of a machine that storages on it depend on. */
export interface SourceMachine {
  dataDir: string;
  /** PATH of every child process. */
  path: string;
  /** More variables for every child process. */
  variables: Record<string, string>;
  sources: SourceSettings;
  /** Missing where nothing outlives a run, as in tests. */
  leases?: LeaseStore;
}

/** Everything that reading from a storage can use. */
export interface SourceAccess {
  storage: PlanStorage;
  projectId: number;
  /** The server or the runner that executes the run. */
  machine: SourceMachine;
  stop: AbortSignal;
  /**
   * Remembers what `revoke` has to end. Called before the answer that names it is used, so that it
   * is revoked even if this process is killed.
   */
  hold(lease: string): Promise<void>;
}

/** Access to one storage during a run. */
export interface OpenSource {
  /** Throws AppError with the reason, and `Unavailable` if it may work later. */
  read(path: string): Promise<SourceValues>;
  /** Like `read`, for the certificate of a key. */
  sign?(path: string, signing: Signing): Promise<SourceValues>;
}

/** A kind of secret storage. */
export interface SourceKind {
  fields: readonly SourceField[];
  /** Whether it has a credential, which may depend on its fields. */
  hasSecret(params: Readonly<Record<string, string>>): boolean;
  /** Whether the credential itself is sent in a header; missing for never. */
  sendsSecret?(params: Readonly<Record<string, string>>): boolean;
  /** The audience of the identity that a run signs in with; null if it uses a credential. */
  audience?(params: Readonly<Record<string, string>>): string | null;
  /** Whether it is there without a row. */
  builtIn?: boolean;
  /** Whether it signs keys. */
  signs?: boolean;
  open(access: SourceAccess): OpenSource;
  /** Ends what `hold` was given. Throws if it should be tried again. */
  revoke?(access: Omit<SourceAccess, "hold">, lease: string): Promise<void>;
}
