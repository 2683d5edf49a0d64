import { SignInHelp } from "@/components/auth/SignInHelp.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { operatorCommand } from "@/lib/base/machine/operator_command.ts";
import { define } from "@/lib/web/state.ts";

/** A page of its own, so that Back leads to the sign-in page again. */
export default define.page(({ state: { ui }, url }) => (
  <>
    <Title ui={ui} parts={[ui.t("sign_in.help.title")]} />
    <SignInHelp ui={ui} operatorCommand={operatorCommand} query={url.search} />
  </>
));
