import { sourceError } from "./errors.ts";
import type { SourceKind } from "./kind.ts";
import { isValueName } from "./settings.ts";
import { textValues } from "./text_values.ts";

/** A variable of the server or runner that executes the run. Its path is the variable's name. */
export const env: SourceKind = {
  builtIn: true,
  fields: [],
  hasSecret: () => false,
  open: ({ storage, machine }) => ({
    read(path) {
      if (!isValueName(path)) throw sourceError(storage, path, "variable_name");
      const text = machine.sources.value(path);
      if (!text) throw sourceError(storage, path, "missing");
      return Promise.resolve(textValues(text));
    },
  }),
};
