import { answer, api } from "@/lib/web/api.ts";
import { teamOperations } from "@/lib/people/team/operations.ts";
import { addMember, changeRole, deleteMember, getMemberDetail } from "@/lib/people/team/service.ts";

export const handler = api(
  answer(
    teamOperations.get,
    ({ deps, actor, ids }) => getMemberDetail(deps, actor, ids.projectId, ids.userId),
  ),
  answer(
    teamOperations.addById,
    ({ deps, actor, ids, body }) =>
      addMember(deps, actor, ids.projectId, { user_id: ids.userId, role: body.role }),
  ),
  answer(
    teamOperations.changeRole,
    ({ deps, actor, ids, body }) => changeRole(deps, actor, ids.projectId, ids.userId, body),
  ),
  answer(
    teamOperations.delete,
    ({ deps, actor, ids }) => deleteMember(deps, actor, ids.projectId, ids.userId),
  ),
);
