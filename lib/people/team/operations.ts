import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { memberDetailSchema, memberForm, memberSchema, newMemberForm } from "./schema.ts";

const tag = "Team";

export const teamOperations = {
  list: operation({
    id: "listMembers",
    method: "GET",
    path: "/project/{projectId}/users",
    tag,
    summary: "The project's members; `id` is the user's",
    access: "member",
    answer: z.array(memberSchema),
    sort: ["name", "username", "role"],
  }),
  add: operation({
    id: "addMember",
    method: "POST",
    path: "/project/{projectId}/users",
    tag,
    summary: "Make a user a member of the project",
    access: "manage_users",
    body: newMemberForm,
    status: 204,
    errors: [409],
  }),
  get: operation({
    id: "getMember",
    method: "GET",
    path: "/project/{projectId}/users/{userId}",
    tag,
    summary: "One member; all of the account for who manages users, and for the member",
    access: "member",
    answer: memberDetailSchema,
  }),
  addById: operation({
    id: "addMemberById",
    method: "POST",
    path: "/project/{projectId}/users/{userId}",
    tag,
    summary: "Make the user that the path names a member of the project",
    access: "manage_users",
    body: memberForm,
    status: 204,
    errors: [409],
  }),
  changeRole: operation({
    id: "changeMemberRole",
    method: "PUT",
    path: "/project/{projectId}/users/{userId}",
    tag,
    summary: "Give a member another role; refused for the last owner",
    access: "manage_users",
    body: memberForm,
  }),
  delete: operation({
    id: "deleteMember",
    method: "DELETE",
    path: "/project/{projectId}/users/{userId}",
    tag,
    summary:
      "Take a member out of the project; refused for the last owner, and as leaving for one's own",
    access: "manage_users",
  }),
  leave: operation({
    id: "leaveProject",
    method: "DELETE",
    path: "/project/{projectId}/me",
    tag,
    summary: "Leave the project; an owner cannot, but takes another role first",
    access: "member",
    errors: [400],
  }),
};
