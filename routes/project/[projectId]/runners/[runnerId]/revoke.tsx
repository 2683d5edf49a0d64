import { endRunnerPage } from "@/routes/(_pages)/runner_pages.tsx";
import { PROJECT_RUNNERS } from "@/routes/(_pages)/runners.tsx";

const { handler, Page } = endRunnerPage(PROJECT_RUNNERS, "revoke");
export { handler, Page as default };
