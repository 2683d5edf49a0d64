/** A signed-in person, by session or by API token. */
export interface UserActor {
  kind: "user";
  id: number;
  username: string;
  name: string;
  admin: boolean;
  external: boolean;
  /** In which pages speak to them, where they do not leave that to the browser. */
  language?: string;
  /** In which times are told to them, where they do not leave that to the browser. */
  timezone?: string;
  /** The session or token that spoke, so that "every other session" can be told. */
  credential: {
    kind: "session" | "token";
    hash: string;
    /** Of a token: whether it may make others, and so outlast itself. */
    makesTokens?: boolean;
  };
}

/** What starts tasks by itself. */
export type StarterKind = "schedule" | "integration" | "autorun";

/** What starts tasks, or the server itself: it may run tasks in its one project, and nothing else. */
export interface SystemActor {
  kind: StarterKind | "server";
  id: number;
  projectId: number;
  /** What history calls it. */
  name?: string;
  /** Whose task it carries on with. */
  person?: { id: number | null; username: string | null };
}

/** Who does something. Every service function is given one. */
export type Actor = UserActor | SystemActor;

/** The id of nobody's account: see `operatorActor`. */
export const OPERATOR_ID = 0;

/** The user's id for rows that keep who did it; null for whoever has no account. */
export const userIdOf = (actor: Actor): number | null =>
  actor.kind === "user" ? actor.id === OPERATOR_ID ? null : actor.id : actor.person?.id ?? null;

/** What of ours acted, for rows that keep it; undefined for people and for the server itself. */
export function starterOf(actor: Actor): { kind: StarterKind; name: string } | undefined {
  const { kind, name } = actor;
  return kind === "user" || kind === "server" || !name ? undefined : { kind, name };
}
