import type { AccountPage } from "../../lib/base/account_page.ts";
import type { IconName } from "../ui/Icon.tsx";

/** The pages of one's own account in order, with the locale keys of their names. */
export const ACCOUNT_PAGES: readonly { page: AccountPage; name: string; icon: IconName }[] = [
  { page: "profile", name: "account.profile", icon: "user" },
  { page: "security", name: "account.security", icon: "lock" },
  { page: "tokens", name: "tokens.title", icon: "docs" },
  { page: "keys", name: "own_keys.title", icon: "keys" },
  { page: "notifications", name: "account.notifications", icon: "bell" },
  { page: "appearance", name: "account.appearance", icon: "language" },
];
