import { scheduleOperations } from "@/lib/triggers/schedules/operations.ts";
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  getSchedules,
  listReplaceableSchedules,
  listSchedules,
  listTemplateSchedules,
  previewCron,
  setScheduleActive,
  updateSchedule,
} from "@/lib/triggers/schedules/service.ts";
import { Listing } from "@/lib/web/api/answer.ts";
import { bind } from "@/lib/web/api/bind.ts";

export const schedules = bind(scheduleOperations, {
  list: async ({ scope }) =>
    new Listing(await listSchedules(scope), (ids) => getSchedules(scope, ids)),
  // Only browsers send this header. A front end's form must not get schedules that it cannot show.
  listOfTemplate: ({ scope, ids, req }) =>
    req.headers.has("Sec-Fetch-Site")
      ? listReplaceableSchedules(scope, ids.templateId)
      : listTemplateSchedules(scope, ids.templateId),
  create: ({ scope, body }) => createSchedule(scope, body),
  validate: ({ scope, body }) => ({ next_runs: previewCron(scope, body) }),
  get: ({ scope, ids }) => getSchedule(scope, ids.scheduleId),
  update: ({ scope, ids, body, expected }) => updateSchedule(scope, ids.scheduleId, body, expected),
  setActive: ({ scope, ids, body }) => setScheduleActive(scope, ids.scheduleId, body.active),
  delete: ({ scope, ids, expected }) => deleteSchedule(scope, ids.scheduleId, expected),
});
