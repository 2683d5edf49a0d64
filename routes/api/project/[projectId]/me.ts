import { answer, api } from "@/lib/web/api.ts";
import { teamOperations } from "@/lib/people/team/operations.ts";
import { leaveProject } from "@/lib/people/team/service.ts";

export const handler = api(
  answer(teamOperations.leave, ({ deps, actor, ids }) => leaveProject(deps, actor, ids.projectId)),
);
