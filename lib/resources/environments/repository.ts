import { collection } from "../../store/collection.ts";
import { storagesOf } from "../secret_storages/schema.ts";
import type { EnvironmentRow } from "./schema.ts";

export const environmentRows = collection<EnvironmentRow>("environments", {
  references: ({ secrets }) => storagesOf(secrets.map(({ source }) => source)),
  texts: ["json", "env"],
});
