import { answer, api } from "@/lib/http/api.ts";
import { teamOperations } from "@/lib/team/operations.ts";
import { leaveProject } from "@/lib/team/service.ts";

export const handler = api(
  answer(teamOperations.leave, ({ deps, actor, ids }) => leaveProject(deps, actor, ids.projectId)),
);
