import type { BuildContext } from "./context.ts";

/** Returns the keys of an entry as members of a body; none if the entry has no list. */
export function buildKeyList(
  list: { key: string; hosts?: string[] | null }[] | null | undefined,
  refer: BuildContext["refer"],
) {
  if (!list) return {};
  const ids = list.map(({ key }, n) => refer("keys", `ssh_keys.${n}.key`, key));
  return {
    ssh_key_ids: ids,
    ssh_key_hosts: Object.fromEntries(
      list.flatMap(({ hosts }, n) => hosts ? [[ids[n], hosts]] : []),
    ),
  };
}
