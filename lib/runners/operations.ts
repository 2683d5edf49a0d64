import * as z from "zod";
import { operation, withExample } from "../access/operation.ts";
import {
  newRunnerSchema,
  newRunnerTokenSchema,
  registrationTokenSchema,
  runnerActiveBody,
  runnerBody,
  runnerChangeBody,
  runnerSchema,
  runnerStateBody,
  runnerTagSchema,
  runnerTokenBody,
  runnerTokenSchema,
} from "./schema.ts";
import { createReusableToken, deleteReusableToken, listReusableTokens } from "./reusable_tokens.ts";
import {
  createRunner,
  deleteRunner,
  getRunner,
  listOwnRunners,
  listRunnerTags,
  newRegistrationToken,
  revokeRunner,
  setRunnerActive,
  setRunnerState,
  updateRunner,
} from "./service.ts";

const tag = "Runners";

/** The server, or a project, and the rights that its calls require. The scope says which. */
interface Where {
  /** The path below which they are, without a slash at its beginning. */
  place: string;
  /** Part of the calls' ids. */
  word: "" | "Project";
  /** The end of summaries. */
  of: string;
  read: "admin" | "member";
  change: "admin" | "manage_runners";
}

/** The calls about all runners. */
const operationsOfAll = ({ place, word, of, read, change }: Where) => {
  const all = `/${place}runners` as const;
  return [
    operation({
      id: `list${word}Runners`,
      method: "GET",
      path: all,
      tag,
      summary: `List the runners ${of}`,
      access: read,
      answer: z.array(runnerSchema),
      run: ({ scope }) => listOwnRunners(scope),
    }),
    operation({
      id: word === "" ? "listAllRunnerTags" : "listRunnerTags",
      method: "GET",
      path: `/${place}runner_tags`,
      tag,
      summary: `List the labels of the runners ${of}`,
      details: word === "" ? undefined : "With the labels of the server's runners that it can use.",
      access: read,
      answer: z.array(runnerTagSchema),
      run: ({ scope }) => listRunnerTags(scope),
    }),
    operation({
      id: `create${word}Runner`,
      method: "POST",
      path: all,
      tag,
      summary: `Create a runner ${of}`,
      details:
        "`registration_token` registers the program of the runner once, within an hour. It is not" +
        " shown again. It is empty if `registered` is sent as false.",
      access: change,
      body: word === "" ? withExample(runnerBody, { project_ids: [1, 2] }) : runnerBody,
      answer: newRunnerSchema,
      errors: [409],
      run: async ({ scope, body }) => {
        const { runner, registrationToken } = await createRunner(scope, body);
        return { ...runner, registration_token: registrationToken, token: "", private_key: "" };
      },
    }),
  ];
};

/** The calls about one runner. */
const operationsOfOne = ({ place, word, of, read, change }: Where) => {
  const one = `/${place}runners/{runnerId}` as const;
  return [
    operation({
      id: `get${word}Runner`,
      method: "GET",
      path: one,
      tag,
      summary: `Get a runner ${of}`,
      access: read,
      answer: runnerSchema,
      run: ({ scope, ids }) => getRunner(scope, ids.runnerId),
    }),
    operation({
      id: `update${word}Runner`,
      method: "PUT",
      path: one,
      tag,
      summary: `Update a runner ${of}`,
      access: change,
      body: runnerChangeBody,
      run: ({ scope, ids, body, expected }) => updateRunner(scope, ids.runnerId, body, expected),
    }),
    operation({
      id: `delete${word}Runner`,
      method: "DELETE",
      path: one,
      tag,
      summary: `Delete a runner ${of}`,
      details: "Its tokens and its current tasks end.",
      access: change,
      run: ({ scope, ids, expected }) => deleteRunner(scope, ids.runnerId, expected),
    }),
  ];
};

/** The calls about the state of a runner. */
const stateOperations = ({ place, word, of, change }: Where) => {
  const its = <Part extends string>(part: Part) => `/${place}runners/{runnerId}/${part}` as const;
  return [
    operation({
      id: `set${word}RunnerActive`,
      method: "POST",
      path: its("active"),
      tag,
      summary: `Enable a runner ${of}, or pause it`,
      access: change,
      body: runnerActiveBody,
      status: 204,
      run: ({ scope, ids, body }) => setRunnerActive(scope, ids.runnerId, body.active),
    }),
    operation({
      id: `set${word}RunnerState`,
      method: "POST",
      path: its("state"),
      tag,
      summary: `Set the state of a runner ${of}`,
      details:
        "A paused runner gets no new task. A draining one gets none either, and its program ends" +
        " after its current tasks.",
      access: change,
      body: runnerStateBody,
      status: 204,
      run: ({ scope, ids, body }) => setRunnerState(scope, ids.runnerId, body.state),
    }),
    operation({
      id: `clear${word}RunnerCache`,
      method: "DELETE",
      path: its("cache"),
      tag,
      summary: `Delete the cache of a runner ${of}`,
      details: "Does nothing, because runners keep their caches up to date themselves.",
      access: change,
      run: async ({ scope, ids }) => {
        await getRunner(scope, ids.runnerId);
      },
    }),
  ];
};

/** The calls about the tokens of a runner. */
const accessOperations = ({ place, word, of, change }: Where) => {
  const its = <Part extends string>(part: Part) => `/${place}runners/{runnerId}/${part}` as const;
  return [
    operation({
      id: `create${word}RunnerRegistrationToken`,
      method: "POST",
      path: its("registration-token"),
      tag,
      summary: `Create a registration token for a runner ${of}`,
      details:
        "It registers the program of the runner once, within an hour. The runner's earlier token" +
        " ends when it is used.",
      access: change,
      answer: registrationTokenSchema,
      status: 200,
      run: ({ scope, ids }) => newRegistrationToken(scope, ids.runnerId),
    }),
    operation({
      id: `revoke${word}Runner`,
      method: "POST",
      path: its("revoke"),
      tag,
      summary: `Revoke the tokens of a runner ${of}`,
      details: "Its current tasks end, too. The runner can be registered again.",
      access: change,
      status: 204,
      run: ({ scope, ids }) => revokeRunner(scope, ids.runnerId),
    }),
  ];
};

/** The calls about reusable registration tokens. */
const tokenOperationsIn = ({ place, word, of, change }: Where) => {
  const tokens = `/${place}runner_tokens` as const;
  return [
    operation({
      id: `list${word}RunnerTokens`,
      method: "GET",
      path: tokens,
      tag,
      summary: `List the reusable registration tokens ${of}`,
      access: change,
      answer: z.array(runnerTokenSchema),
      run: ({ scope }) => listReusableTokens(scope),
    }),
    operation({
      id: `create${word}RunnerToken`,
      method: "POST",
      path: tokens,
      tag,
      summary: `Create a reusable registration token ${of}`,
      details:
        "Each registration with it creates a runner with its labels and its limit. `token` is not" +
        " shown again. `uses_max` is the number of runners, or 0 for any number.",
      access: change,
      body: word === "" ? withExample(runnerTokenBody, { project_ids: [] }) : runnerTokenBody,
      answer: newRunnerTokenSchema,
      errors: [409],
      run: ({ scope, body }) => createReusableToken(scope, body),
    }),
    operation({
      id: `delete${word}RunnerToken`,
      method: "DELETE",
      path: `/${place}runner_tokens/{tokenId}`,
      tag,
      summary: `Delete a reusable registration token ${of}`,
      details: "The runners that it has created stay.",
      access: change,
      run: ({ scope, ids }) => deleteReusableToken(scope, ids.tokenId),
    }),
  ];
};

/** All calls about the runners of the server, or of a project. */
const operationsIn = (where: Where) => [
  ...operationsOfAll(where),
  ...operationsOfOne(where),
  ...stateOperations(where),
  ...accessOperations(where),
  ...tokenOperationsIn(where),
];

export const serverRunnerOperations = operationsIn({
  place: "",
  word: "",
  of: "of the server",
  read: "admin",
  change: "admin",
});

export const projectRunnerOperations = operationsIn({
  place: "project/{projectId}/",
  word: "Project",
  of: "of a project",
  read: "member",
  change: "manage_runners",
});
