import * as z from "zod";
import { type Access, operation } from "../access/operation.ts";
import { alertRuleSchema, ruleForm } from "./rules/schema.ts";
import {
  alertDeliverySchema,
  targetForm,
  targetSchema,
  targetTestSchema,
} from "./targets/schema.ts";

const tag = "Alerts";

/** The server, or a project, and the right that its calls require. */
interface Where<Place extends string, Who extends Access> {
  /** The path below which they are, without a slash at its beginning. */
  place: Place;
  /** Part of the calls' ids. */
  word: "Server" | "Project";
  /** The end of summaries. */
  of: string;
  access: Who;
}

function targetOperations<Place extends string, Who extends Access>(
  { place, word, of, access }: Where<Place, Who>,
) {
  const all = `/${place}alert_targets` as const;
  const one = `/${place}alert_targets/{targetId}` as const;
  return {
    listTargets: operation({
      id: `list${word}AlertTargets`,
      method: "GET",
      path: all,
      tag,
      summary: `List the alert targets ${of}`,
      details:
        "Targets with an ID below 0 are defined by the settings of the server, and cannot be" +
        " changed. Secrets are blank.",
      access,
      answer: z.array(targetSchema),
    }),
    createTarget: operation({
      id: `create${word}AlertTarget`,
      method: "POST",
      path: all,
      tag,
      summary: `Create an alert target ${of}`,
      details: "`kind` decides which `settings` there are. Only admins can set `allow_private`," +
        " which allows addresses in private networks.",
      access,
      body: targetForm,
      answer: targetSchema,
      errors: [409],
    }),
    getTarget: operation({
      id: `get${word}AlertTarget`,
      method: "GET",
      path: one,
      tag,
      summary: `Get an alert target ${of}`,
      access,
      answer: targetSchema,
    }),
    updateTarget: operation({
      id: `update${word}AlertTarget`,
      method: "PUT",
      path: one,
      tag,
      summary: `Update an alert target ${of}`,
      details: "A secret that is missing or blank stays, and null removes it. With another" +
        " address, all secrets must be sent again.",
      access,
      body: targetForm,
      errors: [409],
    }),
    deleteTarget: operation({
      id: `delete${word}AlertTarget`,
      method: "DELETE",
      path: one,
      tag,
      summary: `Delete an alert target ${of}`,
      access,
      errors: [409],
    }),
  };
}

function sendingOperations<Place extends string, Who extends Access>(
  { place, word, of, access }: Where<Place, Who>,
) {
  const one = `/${place}alert_targets/{targetId}` as const;
  return {
    testTarget: operation({
      id: `test${word}AlertTarget`,
      method: "POST",
      path: `${one}/test`,
      tag,
      summary: `Send a test message to an alert target ${of}`,
      access,
      answer: targetTestSchema,
      status: 200,
    }),
    resumeTarget: operation({
      id: `resume${word}AlertTarget`,
      method: "POST",
      path: `${one}/resume`,
      tag,
      summary: `Set a paused alert target ${of} active again`,
      details: "A target is paused after 20 messages in a row that could not be sent.",
      access,
      status: 204,
      errors: [409],
    }),
    listDeliveries: operation({
      id: `list${word}AlertDeliveries`,
      method: "GET",
      path: `${one}/deliveries`,
      tag,
      summary: `List the latest messages of an alert target ${of}`,
      details:
        "At most 100, the latest first. For a target that the settings of the server define," +
        " the list of a project has its own messages.",
      access,
      answer: z.array(alertDeliverySchema),
    }),
  };
}

function ruleOperations<Place extends string, Who extends Access>(
  { place, word, of, access }: Where<Place, Who>,
) {
  const all = `/${place}alert_rules` as const;
  const one = `/${place}alert_rules/{ruleId}` as const;
  return {
    listRules: operation({
      id: `list${word}AlertRules`,
      method: "GET",
      path: all,
      tag,
      summary: `List the alert rules ${of}`,
      access,
      answer: z.array(alertRuleSchema),
    }),
    createRule: operation({
      id: `create${word}AlertRule`,
      method: "POST",
      path: all,
      tag,
      summary: `Create an alert rule ${of}`,
      details: "Without rules, alerts go to the targets that the settings of the server define.",
      access,
      body: ruleForm,
      answer: alertRuleSchema,
      errors: [409],
    }),
    getRule: operation({
      id: `get${word}AlertRule`,
      method: "GET",
      path: one,
      tag,
      summary: `Get an alert rule ${of}`,
      access,
      answer: alertRuleSchema,
    }),
    updateRule: operation({
      id: `update${word}AlertRule`,
      method: "PUT",
      path: one,
      tag,
      summary: `Update an alert rule ${of}`,
      access,
      body: ruleForm,
    }),
    deleteRule: operation({
      id: `delete${word}AlertRule`,
      method: "DELETE",
      path: one,
      tag,
      summary: `Delete an alert rule ${of}`,
      access,
    }),
  };
}

const operationsIn = <Place extends string, Who extends Access>(where: Where<Place, Who>) => ({
  ...targetOperations(where),
  ...sendingOperations(where),
  ...ruleOperations(where),
});

export const serverAlertOperations = operationsIn({
  place: "",
  word: "Server",
  of: "of the server",
  access: "admin",
});

export const projectAlertOperations = operationsIn({
  place: "project/{projectId}/",
  word: "Project",
  of: "of a project",
  access: "manage_resources",
});
