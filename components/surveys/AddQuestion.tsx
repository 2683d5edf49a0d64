import { Button } from "@/components/ui/Button.tsx";
import { ADD_ROW } from "@/lib/web/forms/rows.ts";

interface AddQuestionProps {
  text: string;
  isBusy?: boolean;
  onAdd(button: HTMLButtonElement): void;
}

/** The button that adds a question to a survey. Without a script, it sends the form. */
export const AddQuestion = ({ text, isBusy, onAdd }: AddQuestionProps) => (
  <Button
    name="question"
    value={ADD_ROW}
    icon="plus"
    id="survey-add"
    formaction="#survey-add"
    data-stay
    aria-busy={isBusy || undefined}
    onClick={(event) => {
      event.preventDefault();
      onAdd(event.currentTarget);
    }}
  >
    {text}
  </Button>
);
