import { Alert } from "@/components/ui/Alert.tsx";
import type { Sentence } from "@/lib/base/errors.ts";
import type { Ui } from "@/lib/i18n/ui.ts";

/** Explains why the results are incomplete. */
export const Gaps = ({ ui, gaps }: { ui: Ui; gaps: Sentence[] }) => (
  gaps.length > 0 && (
    <Alert kind="warning" class="mb-3">
      {gaps.map((gap, n) => <p key={n} class="m-0">{ui.tell(gap)}</p>)}
    </Alert>
  )
);
