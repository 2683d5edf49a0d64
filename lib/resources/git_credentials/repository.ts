import { collection } from "../../store/collection.ts";
import type { GitCredentialRow } from "./schema.ts";

export const gitCredentialRows = collection<GitCredentialRow>("git_credentials", {
  references: ({ ssh_key_id }) => [["keys", ssh_key_id]],
});
