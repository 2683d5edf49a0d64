import type { AnyKind } from "../schema.ts";
import { discord } from "./discord.ts";
import { gotify } from "./gotify.ts";
import { http } from "./http.ts";
import type { HttpKind, KindField } from "./kind.ts";
import { matrix } from "./matrix.ts";
import { mattermost } from "./mattermost.ts";
import { ntfy } from "./ntfy.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { pushover } from "./pushover.ts";
import { rocketchat } from "./rocketchat.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

/** Kinds that receive messages over HTTP. */
export const httpKinds: Record<Exclude<AnyKind, "email" | "members">, HttpKind> = {
  slack,
  teams,
  discord,
  mattermost,
  rocketchat,
  telegram,
  ntfy,
  gotify,
  matrix,
  pushover,
  pagerduty,
  opsgenie,
  http,
  webhook,
};

/** Mails go to any addresses, and to members with a role who want alerts. */
const EMAIL_FIELDS: readonly KindField[] = [{ name: "addresses", type: "area" }, { name: "roles" }];

/** Returns the fields that a kind adds to the form of a target. */
export function fieldsOf(kind: AnyKind): readonly KindField[] {
  if (kind === "members") return [];
  return kind === "email" ? EMAIL_FIELDS : httpKinds[kind].fields;
}
