import type { IntegrationRow } from "./schema.ts";

/** What an event about the integration says of it. */
export const integrationEvent = ({ project_id, id, name }: IntegrationRow) =>
  ({ projectId: project_id, object: "integration", id, name }) as const;
