import type { Lab } from "./lab.ts";

/** Starts a task of the lab and returns its id. */
export async function startTask({ server, projectId }: Lab, templateId: number): Promise<number> {
  const path = `/api/project/${projectId}/tasks`;
  const { status, body } = await server.api("POST", path, { template_id: templateId });
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
  return body.id;
}
