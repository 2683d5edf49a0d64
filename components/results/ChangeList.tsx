import { Change, ChangeHead, type ChangeProps, type ShownChange } from "./Change.tsx";

export interface ChangeListProps extends Omit<ChangeProps, "change"> {
  /** Changes with a known diff come first. */
  changes: ShownChange[];
}

/** Changes with a diff first, and below them those without one. */
export function ChangeList({ changes, ...props }: ChangeListProps) {
  const known = changes.filter(({ diff }) => diff !== "");
  const others = changes.filter(({ diff }) => diff === "");
  const Heading = props.place.isOver ? "h3" : "h2";
  return (
    <>
      {known.map((change) => <Change key={change.id} {...props} change={change} />)}
      {others.length > 0 && (
        <section class="changes-unknown" aria-labelledby="changes-unknown">
          <Heading id="changes-unknown">{props.ui.t("changes.unknown")}</Heading>
          <ul>
            {others.map((change) => (
              <li key={change.id}>
                <ChangeHead {...props} change={change} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
