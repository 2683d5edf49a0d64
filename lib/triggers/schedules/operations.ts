import * as z from "zod";
import { operation } from "../../access/operation.ts";
import {
  cronAnswer,
  cronForm,
  scheduleActiveForm,
  scheduleForm,
  scheduleSchema,
} from "./schema.ts";
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
} from "./service.ts";
import { Listing } from "../../access/answer.ts";

const tag = "Schedules";

export const scheduleOperations = [
  operation({
    id: "listSchedules",
    method: "GET",
    path: "/project/{projectId}/schedules",
    tag,
    summary: "List the schedules of a project",
    details: "With their next times.",
    access: "member",
    answer: z.array(scheduleSchema),
    run: async ({ scope }) =>
      new Listing(await listSchedules(scope), (ids) => getSchedules(scope, ids)),
  }),
  operation({
    id: "listTemplateSchedules",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/schedules",
    tag,
    summary: "List the schedules of a template",
    details: "Browsers get only schedules that consist of a cron expression.",
    access: "member",
    answer: z.array(scheduleSchema),
    // Only browsers send this header. A front end's form must not get schedules that it cannot
    // show.
    run: ({ scope, ids, req }) =>
      req.headers.has("Sec-Fetch-Site")
        ? listReplaceableSchedules(scope, ids.templateId)
        : listTemplateSchedules(scope, ids.templateId),
  }),
  operation({
    id: "createSchedule",
    method: "POST",
    path: "/project/{projectId}/schedules",
    tag,
    summary: "Create a schedule",
    access: "manage_triggers",
    body: scheduleForm,
    answer: scheduleSchema,
    errors: [409],
    run: ({ scope, body }) => createSchedule(scope, body),
  }),
  operation({
    id: "validateCron",
    method: "POST",
    path: "/project/{projectId}/schedules/validate",
    tag,
    summary: "Validate a cron expression",
    details: "Returns its next times.",
    access: "manage_triggers",
    body: cronForm,
    status: 200,
    answer: cronAnswer,
    run: ({ scope, body }) => ({ next_runs: previewCron(scope, body) }),
  }),
  operation({
    id: "getSchedule",
    method: "GET",
    path: "/project/{projectId}/schedules/{scheduleId}",
    tag,
    summary: "Get a schedule",
    access: "member",
    answer: scheduleSchema,
    run: ({ scope, ids }) => getSchedule(scope, ids.scheduleId),
  }),
  operation({
    id: "updateSchedule",
    method: "PUT",
    path: "/project/{projectId}/schedules/{scheduleId}",
    tag,
    summary: "Update a schedule",
    details: "The next run no longer depends on the commit that ran last.",
    access: "manage_triggers",
    body: scheduleForm,
    run: ({ scope, ids, body, expected }) => updateSchedule(scope, ids.scheduleId, body, expected),
  }),
  operation({
    id: "setScheduleActive",
    method: "PUT",
    path: "/project/{projectId}/schedules/{scheduleId}/active",
    tag,
    summary: "Enable or disable a schedule",
    access: "manage_triggers",
    body: scheduleActiveForm,
    run: ({ scope, ids, body }) => setScheduleActive(scope, ids.scheduleId, body.active),
  }),
  operation({
    id: "deleteSchedule",
    method: "DELETE",
    path: "/project/{projectId}/schedules/{scheduleId}",
    tag,
    summary: "Delete a schedule",
    access: "manage_triggers",
    run: ({ scope, ids, expected }) => deleteSchedule(scope, ids.scheduleId, expected),
  }),
];
