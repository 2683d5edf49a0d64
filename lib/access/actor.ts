import type { RecordedPerson } from "../base/person.ts";
import type { InitiatorKind } from "../model/task_row.ts";
import type { TokenLimits } from "../model/token_limits.ts";

/** Sender of a request, as events keep it. */
export interface Client {
  /** The address that a trusted proxy has seen, or that of the connection. */
  address: string;
  user_agent: string;
}

/** A token of a project: what it may do there, and who created it. */
export interface ProjectCredential {
  id: number;
  creatorId: number;
  permissions: number;
  /** Permissions that its creator had, but it has not. */
  withheld: number;
}

/** A signed-in person, by session or by API token, or a token of a project. */
export interface UserActor {
  kind: "user";
  /** Below 0 for a token of a project, which has no account. */
  id: number;
  username: string;
  name: string;
  /** Whether this request may do what admins may. A token can be without the scope for it. */
  admin: boolean;
  external: boolean;
  /** Language of this user's pages; undefined if the browser chooses it. */
  language?: string;
  /** Time zone of the times on this user's pages; undefined if the browser chooses it. */
  timezone?: string;
  /** The session or token of the request. It tells the current session from every other one. */
  credential: {
    kind: "session" | "token";
    hash: string;
    /** First letters of a token, which are its id. */
    tokenId?: string;
    /** Whether a token may create other tokens, and so outlast itself. */
    makesTokens?: boolean;
    /** Limits of a token; missing for one that may do all that its person may. */
    limits?: TokenLimits;
    /** Whether such a token belongs to an admin, who may open all projects. */
    ofAdmin?: boolean;
    /** The project of a token that belongs to it and to no person. */
    ofProject?: ProjectCredential;
  };
  /** Missing outside of requests, as in scripts. */
  client?: Client;
}

/** A trigger or the server itself. It can run tasks in its one project, and nothing else. */
export interface SystemActor {
  kind: InitiatorKind | "server";
  id: number;
  projectId: number;
  /** Name that the history shows. */
  name?: string;
  /** The person on whose behalf it acts, such as the person whose task it continues. */
  person?: { id: number | null; username: string | null };
  /** The client whose request it handles, such as that of a sign-in. */
  client?: Client;
}

/** The actor of a call. Every service function receives one. */
export type Actor = UserActor | SystemActor;

/** Id of the operator, who has no account: see `operatorActor`. */
export const OPERATOR_ID = 0;

/** Returns the user's id for rows that record the actor; null if the actor has no account. */
export const userIdOf = (actor: Actor): number | null =>
  actor.kind === "user" ? actor.id <= OPERATOR_ID ? null : actor.id : actor.person?.id ?? null;

/** Whether the actor is a token of a project: no one is there to be asked or to vote. */
export const isProjectToken = (actor: Actor): boolean =>
  actor.kind === "user" && actor.credential.ofProject !== undefined;

/** Returns the names of the person for rows that record the actor; null ones for all others. */
export const namesOf = (actor: Actor): RecordedPerson =>
  actor.kind === "user"
    ? { user_id: userIdOf(actor), username: actor.username, user_name: actor.name }
    : { user_id: null, username: null, user_name: null };

/** Returns the trigger for rows that record the actor; undefined for people and for the server. */
export function initiatorOf(actor: Actor): { kind: InitiatorKind; name: string } | undefined {
  const { kind, name } = actor;
  return kind === "user" || kind === "server" || !name ? undefined : { kind, name };
}
