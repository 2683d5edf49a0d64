import { answer, api } from "@/lib/http/api.ts";
import { scheduleOperations } from "@/lib/schedules/operations.ts";
import { createSchedule, listSchedules } from "@/lib/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.list,
    ({ deps, actor, ids }) => listSchedules(deps, actor, ids.projectId),
  ),
  answer(
    scheduleOperations.create,
    ({ deps, actor, ids, body }) => createSchedule(deps, actor, ids.projectId, body),
  ),
);
