import type { UserScope } from "../../access/scope.ts";
import { conflict } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { getUserEntry } from "../../model/accounts.ts";
import { OPTIONS_MAX, type UserOption } from "./schema.ts";

type Options = Record<string, string>;

/** Returns the options of the actor. No one else can read them. */
export async function listUserOptions({ deps: { kv }, actor }: UserScope): Promise<Options> {
  return (await kv.get<Options>(rowKeys.userOptions(actor.id))).value ?? {};
}

/** Sets an option of the actor, and returns it. Throws 409 if there are too many. */
export async function setUserOption(
  { deps: { kv }, actor }: UserScope,
  option: UserOption,
): Promise<UserOption> {
  await transact(kv, async (op) => {
    const user = await getUserEntry(kv, actor.id);
    const entry = await kv.get<Options>(rowKeys.userOptions(actor.id));
    const options = { ...entry.value, [option.key]: option.value };
    if (Object.keys(options).length > OPTIONS_MAX) {
      throw conflict("errors.options_full", { max: OPTIONS_MAX });
    }
    op.check(user, entry).set(entry.key, options);
  });
  return option;
}
