import { aws } from "./aws.ts";
import { azure } from "./azure.ts";
import { bitwarden } from "./bitwarden/bitwarden.ts";
import { command } from "./command.ts";
import { env } from "./env.ts";
import { file } from "./file.ts";
import { gcp } from "./gcp.ts";
import type { SourceKind } from "./kind.ts";
import { onepassword } from "./onepassword.ts";
import { vaultSource } from "./vault/vault.ts";

/** All kinds of secret storages. Another one is a file, and a line here. */
export const sourceKinds: Readonly<Record<string, SourceKind>> = {
  env,
  file,
  command,
  vault: vaultSource,
  aws,
  azure,
  gcp,
  bitwarden,
  onepassword,
};
