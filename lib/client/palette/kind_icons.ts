import type { SearchKind } from "../../search/schema.ts";
import type { IconName } from "../../../components/ui/Icon.tsx";

/** Icon of each kind of search result. */
export const KIND_ICONS: Record<SearchKind, IconName> = {
  templates: "templates",
  workflows: "workflows",
  tasks: "task",
  hosts: "hosts",
  inventories: "inventory",
  environments: "environment",
  keys: "keys",
  repositories: "repositories",
  git_credentials: "git_credentials",
  views: "views",
  integrations: "integrations",
  schedules: "schedules",
  members: "user",
};
