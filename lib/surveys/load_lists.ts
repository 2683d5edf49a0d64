import type { ProjectScope } from "../access/scope.ts";
import { carryOut } from "../connection_tests/carry_out.ts";
import { type InventoryListing, listingName, listingText } from "../connection_tests/listing.ts";
import { findStoredText } from "../store/stored_texts.ts";
import { inventoryRows } from "../resources/inventories/repository.ts";
import type { InventoryRow } from "../resources/inventories/schema.ts";
import { hostsOf, staticGroups } from "../resources/inventories/static_hosts.ts";
import { repositoryOf, type WantedCommit } from "../resources/run_resources.ts";
import { plannedToolchain } from "../resources/toolchains/plan.ts";
import { answerType, CHOICES_MAX } from "./answer_types.ts";
import { type ChoiceList, type ChoiceLists, hasSource, isOfInventory } from "./choices.ts";
import { type Freshness, type LatestText, latestText } from "./latest_text.ts";
import { parseChoices } from "./parse_choices.ts";
import { choicesIn } from "./read_choices.ts";
import type { SurveyVar } from "./schema.ts";
import { readUrlText } from "./url_text.ts";

/** Time for each source of choices, because someone waits for the form. */
const LIMIT_MS = 5_000;
/** Part of it to install the requirements of an inventory, or to find that they are installed. */
const INSTALL_MS = 3_000;

/** Resources that the choices of a survey come from: those that its task would use. */
interface SurveyContext {
  /** Repository of files; null for a survey without one. */
  repositoryId: number | null;
  commit: WantedCommit;
  inventoryId: number | null;
  /** The template's own toolchain. */
  toolchainId?: number | null;
  /** Labels of runners. Files are read where the tasks run. */
  labels: string[];
}

/**
 * Loads the choices of the questions that do not list them. A source that cannot be read counts
 * with its last good list, or with none, and says why.
 */
export async function loadChoiceLists(
  scope: ProjectScope,
  place: SurveyContext,
  survey: readonly SurveyVar[],
  freshness: Freshness,
): Promise<ChoiceLists> {
  const asked = survey.filter(hasSource);
  const paths = new Set(asked.flatMap(({ choices_from }) => choices_from?.path ?? []));
  const files = paths.size > 0
    ? readFiles(scope, place, [...paths].toSorted(), freshness)
    : Promise.resolve({ text: null });
  const inventory = asked.some(isOfInventory)
    ? readInventory(scope, place, freshness)
    : Promise.resolve({ text: null });
  const lists = asked.map(async (question): Promise<[string, ChoiceList]> => {
    if (isOfInventory(question)) return [question.name, inventoryList(question, await inventory)];
    const { path, url = "", ...at } = question.choices_from!;
    const latest = path === undefined
      ? await readUrl(scope, url, freshness)
      : fileIn(await files, path);
    return [
      question.name,
      await listOfText(latest, (text) => parseChoices(scope.deps.kv, text, at)),
    ];
  });
  return new Map(await Promise.all(lists));
}

/** A list without choices has its own reason. Others have the age and the problem of their text. */
async function listOfText(
  { text, ...age }: LatestText,
  parse: (text: string) => ChoiceList | Promise<ChoiceList>,
): Promise<ChoiceList> {
  return text === null ? { choices: null, ...age } : { ...age, ...await parse(text) };
}

type Files = Record<string, string | null>;

/** Reads the files with one visit of the repository. The text is an object by their paths. */
function readFiles(
  scope: ProjectScope,
  { repositoryId, commit, labels }: SurveyContext,
  paths: string[],
  freshness: Freshness,
): Promise<LatestText> {
  const id = `files ${repositoryId} ${JSON.stringify([commit, paths])}`;
  const { deps, projectId } = scope;
  const read = async () => {
    const repository = await repositoryOf(deps, projectId, repositoryId ?? 0, commit);
    const plan = { kind: "files", repository, paths } as const;
    const { files } = await carryOut(scope, plan, { labels, limitMs: LIMIT_MS });
    const texts: Files = Object.fromEntries(files.map(({ path, text }) => [path, text]));
    return JSON.stringify(texts);
  };
  return latestText(scope, { id, read }, freshness);
}

function fileIn({ text, ...age }: LatestText, path: string): LatestText {
  if (text === null) return { text, ...age };
  const file = (JSON.parse(text) as Files)[path] ?? null;
  return file === null
    ? { text: null, problem: { key: "errors.choices.no_file", params: { path } } }
    : { text: file, ...age };
}

const readUrl = (scope: ProjectScope, url: string, freshness: Freshness): Promise<LatestText> =>
  latestText(scope, {
    id: `url ${url}`,
    read: () => readUrlText(scope.deps.config.surveyUrls, url, LIMIT_MS),
  }, freshness);

/** Returns the listing of an inventory as JSON. Only Ansible can read one in a file. */
async function readInventory(
  scope: ProjectScope,
  place: SurveyContext,
  freshness: Freshness,
): Promise<LatestText> {
  const { deps: { kv }, projectId } = scope;
  const found = place.inventoryId === null
    ? null
    : await inventoryRows.find(kv, projectId, place.inventoryId);
  if (!found) return { text: null, problem: { key: "errors.run.missing_inventory" } };
  const { row } = found;
  if (row.type !== "file") {
    const { type, inventory: text } = row;
    const max = CHOICES_MAX + 1;
    const listing: InventoryListing = {
      hosts: hostsOf(type, text, max),
      groups: staticGroups(type, text, max),
    };
    return { text: JSON.stringify(listing) };
  }
  const name = listingName(row);
  const kept = freshness === "reload" ? null : await findStoredText(kv, projectId, name);
  if (kept) return { text: kept.text, asOf: kept.readAt };
  return await latestText(
    scope,
    { id: name, read: () => readFileInventory(scope, place, row) },
    freshness,
  );
}

async function readFileInventory(
  scope: ProjectScope,
  { repositoryId, commit, labels, toolchainId }: SurveyContext,
  { type, inventory: content, repository_id, toolchain_id }: InventoryRow,
): Promise<string> {
  const { deps, project, projectId } = scope;
  const choosing = [{ toolchain_id: toolchainId }, { toolchain_id }, project];
  const repository = await repositoryOf(
    deps,
    projectId,
    repository_id ?? repositoryId ?? 0,
    repository_id === null ? commit : {},
  );
  const toolchain = await plannedToolchain(deps, projectId, choosing);
  const plays = repository_id && repositoryId
    ? { plays: await repositoryOf(deps, projectId, repositoryId, commit) }
    : {};
  const inventory = { type, content, repository, ...plays, ...toolchain, installMs: INSTALL_MS };
  const plan = { kind: "hosts", inventory } as const;
  return listingText(await carryOut(scope, plan, { labels, limitMs: LIMIT_MS }));
}

function inventoryList({ type, choices_from }: SurveyVar, latest: LatestText): ChoiceList {
  const { text, ...age } = latest;
  if (text === null) return { choices: null, ...age };
  const key = answerType(type) === "host" || choices_from?.source === "hosts" ? "hosts" : "groups";
  return { ...age, ...choicesIn(JSON.parse(text), { key }) };
}
