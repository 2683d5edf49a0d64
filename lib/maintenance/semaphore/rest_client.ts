import { JSONParser } from "@streamparser/json";
import { bodyChunks, readText } from "../../http/body.ts";
import { openAnswer, type StreamedAnswer } from "../../http/exchange.ts";
import { parseJson } from "../../base/parse.ts";
import { ConfigError } from "../../base/settings/settings.ts";
import type { Item } from "./source.ts";

/** Time until an answer must begin, and maximum size of an answer that is not read as a stream. */
const LIMIT_MS = 30_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Maximum number of items of a list that is not read as a stream. No project has more of a kind.
 */
const ITEMS_MAX = 10_000;

/** Client for another server's API. Data that an older version does not have is empty. */
export interface RestClient {
  /** Returns an answer, or null if there is none. */
  get(path: string): Promise<unknown>;
  /** Returns the items of a list. Throws ConfigError for more than `max` items. */
  list(path: string, max?: number): Promise<Item[]>;
  /** Yields the items of a list of any length as they arrive. */
  stream(path: string): AsyncGenerator<Item>;
}

/**
 * Creates a client for the server at `url` with a token of an administrator. Its calls throw
 * ConfigError if they fail.
 */
export function restClient(url: string, token: string): RestClient {
  const addressOf = (path: string) => `${url.replace(/(?<!\/)\/+$/, "")}/api${path}`;
  const ask = async (path: string): Promise<StreamedAnswer | null> => {
    const address = addressOf(path);
    // A redirect could send the token to another server, so none is followed.
    const answer = await openAnswer(address, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json" },
      limitMs: LIMIT_MS,
    }).catch((error) => {
      throw new ConfigError(`${address} cannot be reached: ${error.message}`);
    });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    answer[Symbol.dispose]();
    if (status === 404 || status === 405) return null;
    const advice = status === 401
      ? " Check that the token is valid and belongs to an administrator."
      : "";
    throw new ConfigError(`${address} answered ${status}.${advice}`);
  };
  const get = async (path: string): Promise<unknown> => {
    using answer = await ask(path);
    return answer && parseJson(await readText(answer, ANSWER_BYTES_MAX));
  };

  return {
    get,
    async list(path, max = ITEMS_MAX) {
      const items = itemsOf(await get(path));
      if (items.length <= max) return items;
      throw new ConfigError(
        `${url}/api${path} lists ${items.length} items. At most ${max} can be imported.`,
      );
    },
    async *stream(path) {
      using answer = await ask(path);
      if (answer) yield* streamItems(answer, addressOf(path));
    },
  };
}

/** Yields the items of a list of any length. Only the size of a single item is limited. */
async function* streamItems(answer: StreamedAnswer, address: string): AsyncGenerator<Item> {
  const parser = new JSONParser({ paths: ["$.*"], keepStack: false });
  let items: Item[] = [];
  parser.onValue = ({ value }) => void items.push(value as Item);
  parser.onError = (error) => {
    throw new ConfigError(`${address} is not a list: ${error.message}`);
  };
  let bytes = 0;
  for await (const chunk of bodyChunks(answer, Infinity)) {
    parser.write(chunk);
    bytes = items.length > 0 ? 0 : bytes + chunk.length;
    if (bytes > ANSWER_BYTES_MAX) {
      throw new ConfigError(`${address} contains a line that is too long.`);
    }
    yield* itemsOf(items);
    items = [];
  }
  if (!parser.isEnded) throw new ConfigError(`${address} was cut off.`);
}

const itemsOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
