import { answer, api } from "@/lib/web/api.ts";
import { teamOperations } from "@/lib/people/team/operations.ts";
import { addMember, listMembers } from "@/lib/people/team/service.ts";

export const handler = api(
  answer(teamOperations.list, ({ deps, actor, ids }) => listMembers(deps, actor, ids.projectId)),
  answer(
    teamOperations.add,
    ({ deps, actor, ids, body }) => addMember(deps, actor, ids.projectId, body),
  ),
);
