import { answer, api } from "@/lib/web/api.ts";
import { scheduleOperations } from "@/lib/triggers/schedules/operations.ts";
import { setScheduleActive } from "@/lib/triggers/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.setActive,
    ({ deps, actor, ids, body }) =>
      setScheduleActive(deps, actor, ids.projectId, ids.scheduleId, body.active),
  ),
);
