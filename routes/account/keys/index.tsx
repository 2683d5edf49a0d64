import { page } from "fresh";
import { AccountTabs } from "@/components/account/AccountTabs.tsx";
import { OwnKeys } from "@/components/account/OwnKeys.tsx";
import { listOwnKeys } from "@/lib/resources/own_keys/service.ts";
import { define, userScope } from "@/lib/web/state.ts";

export const handler = define.handlers({
  GET: async ({ state }) => page({ keys: await listOwnKeys(userScope(state)) }),
});

export default define.page<typeof handler>(({ data: { keys }, state: { ui } }) => (
  <>
    <AccountTabs ui={ui} current="keys" />
    <OwnKeys ui={ui} keys={keys} />
  </>
));
