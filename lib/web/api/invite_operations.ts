import * as z from "zod";
import { operation } from "../../access/operation.ts";
import { mailInvite } from "../../alerts/email/mail_invite.ts";
import { paths } from "../../base/paths.ts";
import { acceptInvite } from "../../people/invites/accept.ts";
import {
  acceptedInviteSchema,
  inviteChangeBody,
  inviteSchema,
  inviteTokenBody,
  madeInviteSchema,
  newInviteBody,
} from "../../people/invites/schema.ts";
import {
  createInvite,
  endInvite,
  findInvite,
  listInvites,
  withdrawInvite,
} from "../../people/invites/service.ts";

const tag = "Team";
const access = "add_people";
const all = "/project/{projectId}/invites";
const one = "/project/{projectId}/invites/{inviteId}";

export const inviteOperations = [
  operation({
    id: "listInvites",
    method: "GET",
    path: all,
    tag,
    summary: "List the invitations to a project",
    details: "Without their links. An invitation stays listed for 30 days after its end.",
    access,
    answer: z.array(inviteSchema),
    sort: ["email", "role", "status", "created", "expires_at"],
    run: ({ scope }) => listInvites(scope),
  }),
  operation({
    id: "createInvite",
    method: "POST",
    path: all,
    tag,
    summary: "Create an invitation to a project",
    details:
      "By `email` or `user_id`. Only this answer has the `token` of the link, which works once, " +
      "until `expires_at`: in seven days if it is left out, and in 30 days at most. A link for an " +
      "address is also mailed if the server can send mails. 409 for members, for people who are " +
      "invited already, and if 50 invitations are open.",
    access,
    body: newInviteBody,
    answer: madeInviteSchema,
    errors: [409],
    async run({ scope, body, ui }) {
      const { invite, token } = await createInvite(scope, body);
      const sent = await mailInvite(scope, ui, { invite, token });
      return { ...invite, token, path: paths.invite(token), mailed: sent?.ok === true };
    },
  }),
  operation({
    id: "getInvite",
    method: "GET",
    path: one,
    tag,
    summary: "Get an invitation to a project",
    access,
    answer: inviteSchema,
    run: ({ scope, ids }) => findInvite(scope, ids.inviteId),
  }),
  operation({
    id: "updateInvite",
    method: "PUT",
    path: one,
    tag,
    summary: "End an invitation that no one has answered",
    details: "It stays listed as `declined` or `expired`. 409 for one with an answer.",
    access,
    body: inviteChangeBody,
    errors: [409],
    run: ({ scope, ids, body, expected }) => endInvite(scope, ids.inviteId, body.status, expected),
  }),
  operation({
    id: "deleteInvite",
    method: "DELETE",
    path: one,
    tag,
    summary: "Revoke an invitation",
    details: "Refused for an accepted one, which made someone a member.",
    access,
    errors: [409],
    run: ({ scope, ids, expected }) => withdrawInvite(scope, ids.inviteId, expected),
  }),
  operation({
    id: "acceptInvite",
    method: "POST",
    path: "/invites/accept",
    tag,
    summary: "Accept an invitation to a project",
    details: "As the account that is invited, or whose e-mail address is.",
    access: "user",
    body: inviteTokenBody,
    answer: acceptedInviteSchema,
    status: 200,
    errors: [403, 404, 409, 429],
    run: ({ scope, body, address }) => acceptInvite(scope, body.token, { address }),
  }),
];
