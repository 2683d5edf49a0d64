import type { UserActor } from "@/lib/access/actor.ts";
import { insertSession } from "@/lib/access/sessions.ts";
import type { Deps } from "@/lib/access/deps.ts";
import { nextId } from "@/lib/store/ids.ts";
import { insertUser } from "@/lib/people/users/repository.ts";

/**
 * Alice owns the web project, Mike manages it, Bob runs tasks, Carol is a guest, Dave is outside.
 */
const PEOPLE = ["alice", "bob", "carol", "mike", "dave", "erin"] as const;
export type Person = (typeof PEOPLE)[number];

interface CastMember {
  id: number;
  /** For calling services. */
  actor: UserActor;
  /** For the session cookie. */
  token: string;
}
export type Cast = Record<Person, CastMember>;

export const PASSWORD = "correct horse battery staple";

/** Stores the cast, each with an open session. Erin is a global admin. */
export async function seedCast(deps: Deps): Promise<Cast> {
  const password = await deps.passwords.hash(PASSWORD);
  const cast: Partial<Cast> = {};
  for (const person of PEOPLE) cast[person] = await seedPerson(deps, person, password);
  return cast as Cast;
}

async function seedPerson({ kv, clock }: Deps, person: Person, password: string) {
  const id = await nextId(kv, "users");
  const name = person[0].toUpperCase() + person.slice(1);
  const admin = person === "erin";
  const op = kv.atomic();
  await insertUser(kv, op, {
    id,
    created: clock.now().toISOString(),
    username: person,
    name,
    email: `${person}@example.com`,
    admin,
    external: false,
    alert: false,
    notify_own: [],
    password,
  });
  const origin = { address: "192.0.2.1", userAgent: "test" };
  const { text: token, hash } = insertSession(op, clock.now(), id, origin);
  await op.commit();
  const actor: UserActor = {
    kind: "user",
    id,
    username: person,
    name,
    admin,
    external: false,
    credential: { kind: "session", hash },
  };
  return { id, token, actor };
}
