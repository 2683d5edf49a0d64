import { cachedWhile } from "../../kv/cached.ts";
import { rowKeys } from "../../kv/keys.ts";
import { listUserRows } from "./repository.ts";

interface Named {
  name: string;
  username: string | null;
}

/** Returns a function that adds the username to the name of a person if others have that name. */
export async function distinctNames(kv: Deno.Kv): Promise<(person: Named) => string> {
  const shared = await cachedWhile(
    kv,
    [rowKeys.usersStamp()],
    "names of several people",
    () => readSharedNames(kv),
  );
  return ({ name, username }) =>
    username && shared.has(name.toLowerCase()) ? `${name} (${username})` : name;
}

async function readSharedNames(kv: Deno.Kv): Promise<ReadonlySet<string>> {
  const names = (await listUserRows(kv)).map(({ name }) => name.toLowerCase()).sort();
  return new Set(names.filter((name, n) => name === names[n - 1]));
}
