import { teamOperations } from "@/lib/people/team/operations.ts";
import {
  addMember,
  changeRole,
  deleteMember,
  getMemberDetail,
  leaveProject,
  listMembers,
} from "@/lib/people/team/service.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const team = bind(teamOperations, {
  list: ({ scope }) => listMembers(scope),
  add: ({ scope, body }) => addMember(scope, body),
  get: ({ scope, ids }) => getMemberDetail(scope, ids.userId),
  addById: ({ scope, ids, body }) => addMember(scope, { user_id: ids.userId, role: body.role }),
  changeRole: ({ scope, ids, body, expected }) => changeRole(scope, ids.userId, body, expected),
  delete: ({ scope, ids, expected }) => deleteMember(scope, ids.userId, expected),
  leave: ({ scope }) => leaveProject(scope),
});
