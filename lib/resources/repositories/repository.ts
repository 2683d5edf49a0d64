import { collection } from "../../store/collection.ts";
import type { RepositoryRow } from "./schema.ts";

export const repositoryRows = collection<RepositoryRow>("repositories", {
  references: ({ ssh_key_id }) => [["keys", ssh_key_id]],
});
