import type { IntegrationRow } from "./schema.ts";

/** The object of an event about the integration. */
export const integrationEvent = ({ project_id, id, name }: IntegrationRow) =>
  ({ projectId: project_id, object: "integration", id, name }) as const;
