import type { Deps } from "@/lib/access/deps.ts";

/**
 * Returns dependencies of a server that dies at its `nth` commit: just before it, or when it was
 * stored but not confirmed. From then on it writes nothing.
 */
export function dieAt(deps: Deps, nth: number, when: "before" | "after") {
  let commits = 0;
  const write = async <T>(commit: () => Promise<T>): Promise<T> => {
    if (++commits > nth) throw new Error("dead");
    if (commits === nth && when === "before") throw new Error("dies");
    const result = await commit();
    if (commits === nth) throw new Error("dies");
    return result;
  };
  const kv = new Proxy(deps.kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "set" || name === "delete") {
        return (...args: unknown[]) => write(async () => await Reflect.apply(value, target, args));
      }
      if (name !== "atomic") return typeof value === "function" ? value.bind(target) : value;
      return () => {
        const op = target.atomic();
        const commit = op.commit.bind(op);
        op.commit = () => write(commit);
        return op;
      };
    },
  });
  return { deps: { ...deps, kv }, died: () => commits >= nth };
}

/** Returns dependencies of a server during whose commits something else happens first. */
export function beforeCommit(deps: Deps, happen: () => Promise<void>): Deps {
  const kv = new Proxy(deps.kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "atomic") return typeof value === "function" ? value.bind(target) : value;
      return () => {
        const op = target.atomic();
        const commit = op.commit.bind(op);
        op.commit = () => happen().then(commit);
        return op;
      };
    },
  });
  return { ...deps, kv };
}
