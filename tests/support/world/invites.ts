import assert from "node:assert/strict";
import type { Person } from "./cast.ts";
import type { World } from "./world.ts";

export const invitesOf = ({ web }: World): string => `/api/project/${web.id}/invites`;

/** Invites someone to the web project, as Alice unless `by` says who. */
export async function invite(
  world: World,
  fields: Record<string, unknown>,
  by: Person = "alice",
): Promise<{ id: number; token: string; path: string; expires_at: string }> {
  const { status, body } = await world.api(by, "POST", invitesOf(world), {
    role: "task_runner",
    ...fields,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** Accepts an invitation through the API. Returns the status and the code of an error. */
export async function accept(world: World, person: Person | null, token: string) {
  const { status, body } = await world.api(person, "POST", "/api/invites/accept", { token });
  return [status, body?.code ?? body] as const;
}

/** Returns the role of someone in the web project; null for no member. */
export async function roleIn(world: World, username: string): Promise<string | null> {
  const { body } = await world.api("erin", "GET", `/api/project/${world.web.id}/users`);
  const members: { username: string; role: string }[] = body;
  return members.find((member) => member.username === username)?.role ?? null;
}
