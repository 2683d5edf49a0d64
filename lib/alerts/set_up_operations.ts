import * as z from "zod";
import { operation, withExample } from "../access/operation.ts";
import { alertRuleSchema, ruleForm } from "./rules/schema.ts";
import { createRule, deleteRule, getRule, listRules, updateRule } from "./rules/service.ts";
import {
  alertDeliverySchema,
  targetForm,
  targetSchema,
  targetTestSchema,
} from "./targets/schema.ts";
import {
  createTarget,
  deleteTarget,
  getTarget,
  listTargetDeliveries,
  listTargets,
  resumeTarget,
  testTarget,
  updateTarget,
} from "./targets/service.ts";

const tag = "Alerts";

/** The server, or a project, and the right that its calls require. The scope says which. */
interface Where {
  /** The path below which they are, without a slash at its beginning. */
  place: string;
  /** Part of the calls' ids. */
  word: "Server" | "Project";
  /** The end of summaries. */
  of: string;
  access: "admin" | "manage_resources";
}

const targetOperations = ({ place, word, of, access }: Where) => {
  const all = `/${place}alert_targets` as const;
  const one = `/${place}alert_targets/{targetId}` as const;
  return [
    operation({
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
      run: ({ scope }) => listTargets(scope),
    }),
    operation({
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
      run: ({ scope, body }) => createTarget(scope, body),
    }),
    operation({
      id: `get${word}AlertTarget`,
      method: "GET",
      path: one,
      tag,
      summary: `Get an alert target ${of}`,
      access,
      answer: targetSchema,
      run: ({ scope, ids }) => getTarget(scope, ids.targetId),
    }),
    operation({
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
      run: ({ scope, ids, body, expected }) => updateTarget(scope, ids.targetId, body, expected),
    }),
    operation({
      id: `delete${word}AlertTarget`,
      method: "DELETE",
      path: one,
      tag,
      summary: `Delete an alert target ${of}`,
      access,
      errors: [409],
      run: ({ scope, ids, expected }) => deleteTarget(scope, ids.targetId, expected),
    }),
  ];
};

const sendingOperations = ({ place, word, of, access }: Where) => {
  const one = `/${place}alert_targets/{targetId}` as const;
  return [
    operation({
      id: `test${word}AlertTarget`,
      method: "POST",
      path: `${one}/test`,
      tag,
      summary: `Send a test message to an alert target ${of}`,
      access,
      answer: targetTestSchema,
      status: 200,
      run: ({ scope, ids }) => testTarget(scope, ids.targetId),
    }),
    operation({
      id: `resume${word}AlertTarget`,
      method: "POST",
      path: `${one}/resume`,
      tag,
      summary: `Set a paused alert target ${of} active again`,
      details: "A target is paused after 20 messages in a row that could not be sent.",
      access,
      status: 204,
      errors: [409],
      run: ({ scope, ids }) => resumeTarget(scope, ids.targetId),
    }),
    operation({
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
      run: ({ scope, ids }) => listTargetDeliveries(scope, ids.targetId),
    }),
  ];
};

const ruleOperations = ({ place, word, of, access }: Where) => {
  const rule = withExample(
    ruleForm,
    word === "Server" ? { project_ids: [1] } : { template_ids: [1] },
  );
  const all = `/${place}alert_rules` as const;
  const one = `/${place}alert_rules/{ruleId}` as const;
  return [
    operation({
      id: `list${word}AlertRules`,
      method: "GET",
      path: all,
      tag,
      summary: `List the alert rules ${of}`,
      access,
      answer: z.array(alertRuleSchema),
      run: ({ scope }) => listRules(scope),
    }),
    operation({
      id: `create${word}AlertRule`,
      method: "POST",
      path: all,
      tag,
      summary: `Create an alert rule ${of}`,
      details: "Without rules, alerts go to the targets that the settings of the server define.",
      access,
      body: rule,
      answer: alertRuleSchema,
      errors: [409],
      run: ({ scope, body }) => createRule(scope, body),
    }),
    operation({
      id: `get${word}AlertRule`,
      method: "GET",
      path: one,
      tag,
      summary: `Get an alert rule ${of}`,
      access,
      answer: alertRuleSchema,
      run: ({ scope, ids }) => getRule(scope, ids.ruleId),
    }),
    operation({
      id: `update${word}AlertRule`,
      method: "PUT",
      path: one,
      tag,
      summary: `Update an alert rule ${of}`,
      access,
      body: rule,
      run: ({ scope, ids, body, expected }) => updateRule(scope, ids.ruleId, body, expected),
    }),
    operation({
      id: `delete${word}AlertRule`,
      method: "DELETE",
      path: one,
      tag,
      summary: `Delete an alert rule ${of}`,
      access,
      run: ({ scope, ids, expected }) => deleteRule(scope, ids.ruleId, expected),
    }),
  ];
};

const operationsIn = (where: Where) => [
  ...targetOperations(where),
  ...sendingOperations(where),
  ...ruleOperations(where),
];

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
