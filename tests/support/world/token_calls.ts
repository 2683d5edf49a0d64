import assert from "node:assert/strict";
import type { Operation } from "@/lib/access/operation.ts";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/model/token_limits.ts";
import type { Person } from "./cast.ts";
import { readAnswer, type World } from "./world.ts";

/** Operations that every token may call. */
const ANY = ["getCurrentUser", "getInfo", "getProjectRole"];

/** Operations of admins on tasks, with the scope that they need beside that of admins. */
export const ALSO: Record<string, TokenScope> = { deleteTask: "manage" };

/** Operations of accounts that read what the account is secured with. */
const ACCOUNT = ["listTokens", "listOwnSessions"];

/** Calls about single objects that a token which runs tasks follows. */
const FOLLOWED = /^\/project\/\{projectId\}\/(tasks|templates|workflows)\/\{/;

const MANAGED = /^(update_project|manage_|add_people)/;

/**
 * The model: the scopes of which a token needs one. It is written from docs/tokens.md, and reads
 * nothing but the address, the method and the right of an operation.
 */
export function modelOf({ id, method, path, access }: Operation): TokenScope[] {
  const isGet = method === "GET";
  if (ANY.includes(id)) return [...TOKEN_SCOPES];
  if (path.startsWith("/project/")) {
    if (access === "admin" || id === "leaveProject") return ["admin"];
    if (MANAGED.test(access)) return ["manage"];
    if (access === "read_output") return ["read", "run"];
    if (!isGet || access !== "member") return ["run"];
    return FOLLOWED.test(path) ? ["read", "run"] : ["read"];
  }
  if (/^\/projects(\/restore)?$/.test(path) && !isGet) return ["manage"];
  return isGet && access === "user" && !ACCOUNT.includes(id) ? ["read"] : ["admin"];
}

/** Creates a token of a person in their session. */
export async function tokenOf(world: World, person: Person, body: object): Promise<string> {
  const answer = await world.api(person, "POST", "/api/user/tokens", body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}

/** Calls an address with a token. Answers that never end are cut. */
export async function byToken(
  world: World,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  address?: string,
) {
  const gone = new AbortController();
  const response = await world.request(path, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: body === undefined || method === "GET" ? undefined : JSON.stringify(body),
    signal: gone.signal,
    address,
  });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return { status: response.status, body: null, headers: response.headers };
  }
  return await readAnswer(response);
}
