import { isDeepStrictEqual } from 'node:util';
import { armKinds, armKindsOfType } from '../../runtime/api/kinds.ts';
import { declaredPlaces, withCarried } from '../../runtime/arm-kinds/carried/with-carried.ts';
import { tryParseResourceId } from '../../runtime/azure/arm/resource-ids.ts';
import { isObject } from '../../runtime/base/json.ts';
import { type Interaction, pathOf, pollUrls, type Recording, readsResource, urlKey } from './recording.ts';

/**
 * The time of one resource from one change of what is wanted to the next. Recorded clients repeat a PUT for reasons of
 * their own (a refusal, a lost poll, a change that Azure does not see); all PUTs of one body are one phase.
 */
export interface Phase {
  readonly method: 'PUT' | 'DELETE';
  /** ARM id as sent. */
  readonly id: string;
  readonly apiVersion: string;
  readonly body: unknown;
  readonly answers: Interaction[];
  /** Answers to GETs of the resource in this time. */
  readonly gets: Interaction[];
}

export interface Timeline {
  /** GETs before anything was written. */
  readonly before: Interaction[];
  readonly phases: Phase[];
}

export interface Phases {
  /** In the order in which they began. */
  readonly all: readonly Phase[];
  /** By path in lower case. */
  readonly timelines: ReadonlyMap<string, Timeline>;
  /** What is no request about a resource itself: polls, actions, look-ups. */
  readonly rest: readonly Interaction[];
}

const isWrite = ({ method }: Interaction): boolean => method === 'PUT' || method === 'DELETE';

export function phasesOf({ interactions }: Recording): Phases {
  const written = new Set(interactions.filter(isWrite).map(({ url }) => pathOf(url)));
  const timelines = new Map([...written].map((path): [string, Timeline] => [path, { before: [], phases: [] }]));
  const all: Phase[] = [];
  const rest: Interaction[] = [];
  for (const interaction of interactions) {
    const { method, url, requestBody } = interaction;
    const timeline = timelines.get(pathOf(url));
    const last = timeline?.phases.at(-1);
    if (!timeline || !(isWrite(interaction) || (method === 'GET' && readsResource(url)))) rest.push(interaction);
    else if (method === 'GET') (last?.gets ?? timeline.before).push(interaction);
    else if (last && last.method === method && sameBody(last.body, requestBody)) last.answers.push(interaction);
    else {
      const { pathname, searchParams } = new URL(url, 'https://management.azure.com');
      const phase: Phase = {
        method: method as Phase['method'],
        id: decodeURIComponent(pathname),
        apiVersion: searchParams.get('api-version') ?? '',
        body: requestBody,
        answers: [interaction],
        gets: [],
      };
      timeline.phases.push(phase);
      all.push(phase);
    }
  }
  for (const { method, gets } of all) if (method === 'PUT') dropEnd(gets);
  return { all, timelines, rest };
}

/** The last answers may be of the time when the resource had gone with what it lies in. */
function dropEnd(gets: Interaction[]): void {
  const end = gets.findLastIndex(({ status }) => status !== 404);
  if (end >= 0) gets.splice(end + 1);
}

/** What the resource was before this phase: a PUT that was refused, or whose operation failed, leaves it. */
export function bodyBefore(phases: readonly Phase[], at: number): unknown {
  const earlier = phases.slice(0, at).findLast(({ answers }) => answers.some(({ status }) => status < 300));
  if (earlier?.method !== 'PUT') return undefined;
  return earlier.gets.at(-1)?.responseBody ?? earlier.answers.at(-1)?.responseBody;
}

/** Drops the answers to reads before this answer, where there are later ones. */
export function dropEarlier(gets: Interaction[], answer: Interaction, all: readonly Interaction[]): void {
  const later = gets.filter((get) => all.indexOf(get) > all.indexOf(answer));
  if (later.length > 0) gets.splice(0, gets.length, ...later);
}

/**
 * The name is in the URL as well, and a null says no more than an absent member. Azure reads ids of resources without
 * case.
 */
export function sameBody(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(essence(a, true), essence(b, true));
}

/**
 * Whether the operator sends this body for a recorded PUT: the same, or with what others made on the resource meanwhile,
 * which the recorded client took away.
 */
export function isPutOf(phases: readonly Phase[], at: number, body: unknown): boolean {
  const phase = phases[at];
  if (phase?.method !== 'PUT') return false;
  if (sameBody(phase.body, body)) return true;
  const { body: recorded, id, gets } = phase;
  if (!isObject(recorded)) return false;
  const former = phases.slice(0, at).findLast(({ method }) => method === 'PUT')?.body;
  // The present phase has all PUTs of one body: a refused one comes before the resource that its answers show.
  const shown = [bodyBefore(phases, at), ...gets.map(({ responseBody }) => responseBody)].filter(isObject);
  return armKindsOfType(tryParseResourceId(id)?.type ?? '').some((kind) => {
    const before = isObject(former) ? declaredPlaces(kind, former) : [];
    return shown.some((live) => sameBody(withCarried(kind, recorded, live, before), body));
  });
}

function essence(value: unknown, root = false): unknown {
  if (Array.isArray(value)) return value.map((item) => essence(item));
  if (typeof value === 'string') return withoutCase(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== null && member !== undefined && !(root && name === 'name'))
      .map(([name, member]) => [withoutCase(name), essence(member)]),
  );
}

function withoutCase(text: string): string {
  return /^\/subscriptions\//i.test(text) ? text.toLowerCase() : text;
}

/** The codes of what the service said in the end about a PUT; undefined if it was content. */
export function refusal({ answers }: Phase, interactions: readonly Interaction[]): readonly string[] | undefined {
  const last = answers.at(-1);
  if (!last) return undefined;
  if (last.status >= 300) return codesOf(last.responseBody);
  const end = endOf(last, interactions);
  return hasFailed(end, 'status') ? codesOf(end) : undefined;
}

/** Where the recorded client saw that an accepted PUT had come to nothing, so that it sent it again. */
export function cameToNothing(
  { answers, gets }: Phase,
  answer: Interaction,
  all: readonly Interaction[],
): 'operation' | 'resource' | undefined {
  if (answer === answers.at(-1)) return undefined;
  if (hasFailed(endOf(answer, all), 'status')) return 'operation';
  const isLost = gets.some(({ status, responseBody }) => {
    const properties = isObject(responseBody) ? responseBody['properties'] : undefined;
    return status === 404 || hasFailed(properties, 'provisioningState');
  });
  return isLost ? 'resource' : undefined;
}

/** What the operation showed last that this answer began. */
function endOf(answer: Interaction, all: readonly Interaction[]): unknown {
  const polls = pollUrls(answer);
  return all.findLast(({ method, url }) => method === 'GET' && polls.includes(urlKey(url)))?.responseBody;
}

function hasFailed(body: unknown, member: string): boolean {
  return isObject(body) && ['failed', 'canceled', 'cancelled'].includes(String(body[member]).toLowerCase());
}

function codesOf(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(codesOf);
  if (!isObject(body)) return [];
  const { code } = body;
  return [...(typeof code === 'string' ? [code] : []), ...Object.values(body).flatMap(codesOf)];
}

const exportActions: ReadonlySet<string> = new Set(
  armKinds.flatMap(({ arm }) => arm.secretSource?.action?.path.split('/').at(-1)?.toLowerCase() ?? []),
);

/** Whether a POST to this path changes nothing. */
export function isExport(path: string): boolean {
  const action = path.split('/').at(-1) ?? '';
  return /^list\w*$/.test(action) || exportActions.has(action);
}

/** Asking for the deletion of what is gone already can be left out. */
export function endsWithParent({ answers }: Phase): boolean {
  return answers.every(({ status }) => status === 404);
}
