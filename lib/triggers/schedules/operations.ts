import { z } from "zod";
import { operation } from "../../access/operation.ts";
import { cronForm, scheduleActiveForm, scheduleForm, scheduleSchema } from "./schema.ts";

const tag = "Schedules";

export const scheduleOperations = {
  list: operation({
    id: "listSchedules",
    method: "GET",
    path: "/project/{projectId}/schedules",
    tag,
    summary: "The project's schedules with their coming times",
    access: "member",
    answer: z.array(scheduleSchema),
  }),
  listOfTemplate: operation({
    id: "listTemplateSchedules",
    method: "GET",
    path: "/project/{projectId}/templates/{templateId}/schedules",
    tag,
    summary: "The schedules of one template; a browser gets those that a form of a cron format " +
      "alone can show",
    access: "member",
    answer: z.array(scheduleSchema),
  }),
  create: operation({
    id: "createSchedule",
    method: "POST",
    path: "/project/{projectId}/schedules",
    tag,
    summary: "Run a template at the times of a cron format, or once",
    access: "manage_resources",
    body: scheduleForm,
    answer: scheduleSchema,
    errors: [409],
  }),
  validate: operation({
    id: "validateCron",
    method: "POST",
    path: "/project/{projectId}/schedules/validate",
    tag,
    summary: "Check a cron format: an empty answer when it can be read",
    access: "manage_resources",
    body: cronForm,
    status: 200,
  }),
  get: operation({
    id: "getSchedule",
    method: "GET",
    path: "/project/{projectId}/schedules/{scheduleId}",
    tag,
    summary: "One schedule",
    access: "member",
    answer: scheduleSchema,
  }),
  update: operation({
    id: "updateSchedule",
    method: "PUT",
    path: "/project/{projectId}/schedules/{scheduleId}",
    tag,
    summary: "Change a schedule; it forgets which commit it ran last",
    access: "manage_resources",
    body: scheduleForm,
  }),
  setActive: operation({
    id: "setScheduleActive",
    method: "PUT",
    path: "/project/{projectId}/schedules/{scheduleId}/active",
    tag,
    summary: "Switch a schedule on or off",
    access: "manage_resources",
    body: scheduleActiveForm,
  }),
  delete: operation({
    id: "deleteSchedule",
    method: "DELETE",
    path: "/project/{projectId}/schedules/{scheduleId}",
    tag,
    summary: "Delete a schedule",
    access: "manage_resources",
  }),
};
