import { answer, api } from "@/lib/http/api.ts";
import { scheduleOperations } from "@/lib/schedules/operations.ts";
import { setScheduleActive } from "@/lib/schedules/service.ts";

export const handler = api(
  answer(
    scheduleOperations.setActive,
    ({ deps, actor, ids, body }) =>
      setScheduleActive(deps, actor, ids.projectId, ids.scheduleId, body.active),
  ),
);
