/**
 * Caches the result of `make` for each cause, for as long as the cause exists. Used where many
 * watchers receive the same result of one change.
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
