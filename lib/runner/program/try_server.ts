import { reportAnswerSchema, type ReportRequest } from "../protocol.ts";
import { connect, type Target } from "./connection.ts";

const LIMIT_MS = 8_000;

/**
 * Makes a call that changes nothing: a report about a run that no runner has. Throws if the server
 * cannot be reached, speaks another version of the protocol, or does not accept the token.
 */
export async function tryServer(target: Target): Promise<void> {
  const report: ReportRequest = {
    session: crypto.randomUUID(),
    run: crypto.randomUUID(),
    take_over: false,
    lines_from: 0,
    lines: [],
    events_from: 0,
    events: [],
    state: {
      ...{ checkout: null, inventories: null, ansible: null, requirements: null },
      ...{ started: false, outcome: null },
    },
  };
  const connection = connect(target);
  try {
    const path = "/api/runner/tasks/1/report";
    const limits = { limitMs: LIMIT_MS, zip: true };
    await connection.post(path, JSON.stringify(report), reportAnswerSchema, limits);
  } finally {
    connection.close();
  }
}
