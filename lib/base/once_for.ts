/**
 * What `make` makes of a cause, once however many ask for it; it goes with the cause. For what many
 * who look on are told of one change.
 */
export function onceFor<Cause extends object, Rest extends unknown[], Made>(
  make: (cause: Cause, ...rest: Rest) => Made,
): (cause: Cause, ...rest: Rest) => Made {
  const made = new WeakMap<Cause, { value: Made }>();
  return (cause, ...rest) => {
    const known = made.get(cause) ?? { value: make(cause, ...rest) };
    made.set(cause, known);
    return known.value;
  };
}
