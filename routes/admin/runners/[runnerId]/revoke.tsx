import { endRunnerPage } from "@/routes/(_pages)/runner_pages.tsx";
import { SERVER_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = endRunnerPage(SERVER_RUNNERS, "revoke");
export { handler, Page as default };
