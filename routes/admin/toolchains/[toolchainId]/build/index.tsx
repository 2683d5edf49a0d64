import { SERVER_TOOLCHAINS, toolchainBuildPage } from "@/routes/(_pages)/toolchain_build.tsx";

const { handler, Page } = toolchainBuildPage(SERVER_TOOLCHAINS);
export { handler, Page as default };
