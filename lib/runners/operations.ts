import * as z from "zod";
import { type Access, operation } from "../access/operation.ts";
import { registerAnswerSchema, registerRequestSchema } from "../runner/protocol.ts";
import {
  newRunnerSchema,
  newRunnerTokenSchema,
  registrationTokenSchema,
  rotatedTokenSchema,
  runnerActiveBody,
  runnerBody,
  runnerChangeBody,
  runnerSchema,
  runnerStateBody,
  runnerTagSchema,
  runnerTokenBody,
  runnerTokenSchema,
} from "./schema.ts";

const tag = "Runners";

/** Calls by runners themselves. They check the tokens of their callers. */
export const runnerProtocolOperations = {
  register: operation({
    id: "registerRunner",
    method: "POST",
    path: "/runner/register",
    tag,
    summary: "Register a runner with its registration token",
    details: "Sent by the program of a runner, with the version of its protocol in the header" +
      " `X-Callboard-Runner`. The answer has the runner's long-lived token.",
    access: "public",
    body: registerRequestSchema,
    answer: registerAnswerSchema,
    errors: [401, 409, 426, 429],
  }),
  rotate: operation({
    id: "rotateRunnerToken",
    method: "POST",
    path: "/runner/token",
    tag,
    summary: "Create another token for the runner that asks",
    details:
      "The current token stays valid until the new one is used for the first time. The current" +
      " one is sent as `Authorization: Bearer`.",
    access: "public",
    answer: rotatedTokenSchema,
    errors: [401, 426],
  }),
};

/** The server, or a project, and the rights that its calls require. */
interface Where<Place extends string, Read extends Access, Change extends Access> {
  /** The path below which they are, without a slash at its beginning. */
  place: Place;
  /** Part of the calls' ids. */
  word: "" | "Project";
  /** The end of summaries. */
  of: string;
  read: Read;
  change: Change;
}

/** The calls about all runners. */
function operationsOfAll<Place extends string, Read extends Access, Change extends Access>(
  { place, word, of, read, change }: Where<Place, Read, Change>,
) {
  const all = `/${place}runners` as const;
  return {
    list: operation({
      id: `list${word}Runners`,
      method: "GET",
      path: all,
      tag,
      summary: `List the runners ${of}`,
      access: read,
      answer: z.array(runnerSchema),
    }),
    tags: operation({
      id: word === "" ? "listAllRunnerTags" : "listRunnerTags",
      method: "GET",
      path: `/${place}runner_tags`,
      tag,
      summary: `List the labels of the runners ${of}`,
      details: word === "" ? undefined : "With the labels of the server's runners that it can use.",
      access: read,
      answer: z.array(runnerTagSchema),
    }),
    create: operation({
      id: `create${word}Runner`,
      method: "POST",
      path: all,
      tag,
      summary: `Create a runner ${of}`,
      details:
        "`registration_token` registers the program of the runner once, within an hour. It is not" +
        " shown again. It is empty if `registered` is sent as false.",
      access: change,
      body: runnerBody,
      answer: newRunnerSchema,
      errors: [409],
    }),
  };
}

/** The calls about one runner. */
function operationsOfOne<Place extends string, Read extends Access, Change extends Access>(
  { place, word, of, read, change }: Where<Place, Read, Change>,
) {
  const one = `/${place}runners/{runnerId}` as const;
  return {
    get: operation({
      id: `get${word}Runner`,
      method: "GET",
      path: one,
      tag,
      summary: `Get a runner ${of}`,
      access: read,
      answer: runnerSchema,
    }),
    update: operation({
      id: `update${word}Runner`,
      method: "PUT",
      path: one,
      tag,
      summary: `Update a runner ${of}`,
      access: change,
      body: runnerChangeBody,
    }),
    delete: operation({
      id: `delete${word}Runner`,
      method: "DELETE",
      path: one,
      tag,
      summary: `Delete a runner ${of}`,
      details: "Its tokens and its current tasks end.",
      access: change,
    }),
  };
}

/** The calls about the state of a runner. */
function stateOperations<Place extends string, Read extends Access, Change extends Access>(
  { place, word, of, change }: Where<Place, Read, Change>,
) {
  const its = <Part extends string>(part: Part) => `/${place}runners/{runnerId}/${part}` as const;
  return {
    setActive: operation({
      id: `set${word}RunnerActive`,
      method: "POST",
      path: its("active"),
      tag,
      summary: `Enable a runner ${of}, or pause it`,
      access: change,
      body: runnerActiveBody,
      status: 204,
    }),
    setState: operation({
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
    }),
    clearCache: operation({
      id: `clear${word}RunnerCache`,
      method: "DELETE",
      path: its("cache"),
      tag,
      summary: `Delete the cache of a runner ${of}`,
      details: "Does nothing, because runners keep their caches up to date themselves.",
      access: change,
    }),
  };
}

/** The calls about the tokens of a runner. */
function accessOperations<Place extends string, Read extends Access, Change extends Access>(
  { place, word, of, change }: Where<Place, Read, Change>,
) {
  const its = <Part extends string>(part: Part) => `/${place}runners/{runnerId}/${part}` as const;
  return {
    newToken: operation({
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
    }),
    revoke: operation({
      id: `revoke${word}Runner`,
      method: "POST",
      path: its("revoke"),
      tag,
      summary: `Revoke the tokens of a runner ${of}`,
      details: "Its current tasks end, too. The runner can be registered again.",
      access: change,
      status: 204,
    }),
  };
}

/** The calls about reusable registration tokens. */
function tokenOperationsIn<Place extends string, Read extends Access, Change extends Access>(
  { place, word, of, change }: Where<Place, Read, Change>,
) {
  const tokens = `/${place}runner_tokens` as const;
  return {
    listTokens: operation({
      id: `list${word}RunnerTokens`,
      method: "GET",
      path: tokens,
      tag,
      summary: `List the reusable registration tokens ${of}`,
      access: change,
      answer: z.array(runnerTokenSchema),
    }),
    createToken: operation({
      id: `create${word}RunnerToken`,
      method: "POST",
      path: tokens,
      tag,
      summary: `Create a reusable registration token ${of}`,
      details:
        "Each registration with it creates a runner with its labels and its limit. `token` is not" +
        " shown again. `uses_max` is the number of runners, or 0 for any number.",
      access: change,
      body: runnerTokenBody,
      answer: newRunnerTokenSchema,
      errors: [409],
    }),
    deleteToken: operation({
      id: `delete${word}RunnerToken`,
      method: "DELETE",
      path: `/${place}runner_tokens/{tokenId}`,
      tag,
      summary: `Delete a reusable registration token ${of}`,
      details: "The runners that it has created stay.",
      access: change,
    }),
  };
}

/** All calls about the runners of the server, or of a project. */
const operationsIn = <Place extends string, Read extends Access, Change extends Access>(
  where: Where<Place, Read, Change>,
) => ({
  ...operationsOfAll(where),
  ...operationsOfOne(where),
  ...stateOperations(where),
  ...accessOperations(where),
  ...tokenOperationsIn(where),
});

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
  change: "manage_resources",
});
