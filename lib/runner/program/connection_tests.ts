import * as z from "zod";
import { after } from "../../base/time/after.ts";
import { AppError } from "../../base/errors.ts";
import { describeError } from "../../base/log.ts";
import { carryOutTest, TEST_LIMIT_MS, type TestPlan } from "../connection_tests.ts";
import type { PollAnswer, TestReport } from "../protocol.ts";
import { boundTo, openPlan } from "../seal.ts";
import { connect } from "./connection.ts";
import type { RunsContext } from "./run.ts";

type OfferedTest = NonNullable<PollAnswer["check"]>;

const SEND_MS = 15_000;

/**
 * Runs a connection test and sends its answer. Never throws, because the server reports a
 * missing answer itself.
 */
export async function answerTest(context: RunsContext, offered: OfferedTest): Promise<void> {
  const connection = connect(context.target);
  try {
    const report = JSON.stringify(await reportOf(context, offered));
    const path = `/api/runner/checks/${offered.check}`;
    await connection.post(path, report, z.object({}), { limitMs: SEND_MS });
  } catch (error) {
    context.log("warn", "test_not_answered", describeError(error));
  } finally {
    connection.close();
  }
}

async function reportOf(
  { environment, runnerId, privateKey }: RunsContext,
  { check, project_id, plan }: OfferedTest,
): Promise<TestReport> {
  const stop = new AbortController();
  const release = after(TEST_LIMIT_MS, () => stop.abort());
  try {
    const test = await openPlan<TestPlan>(plan, privateKey, boundTo(runnerId, check));
    const answer = await carryOutTest(environment, project_id, test, { stop: stop.signal });
    return { answer, failure: null };
  } catch (error) {
    const { key, params } = error instanceof AppError
      ? error
      : { key: "errors.run.unforeseen", params: { detail: String(error) } };
    return { answer: null, failure: { key, params } };
  } finally {
    release();
  }
}
