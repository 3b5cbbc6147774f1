import { isObject, type JsonObject } from '../../runtime/base/json.ts';
import type { Sample } from './samples.ts';
import { isGeneral, itemNames, kindOf, type Names, templated } from './templates.ts';

/** What was seen of one member where no request had it. */
interface Seen {
  /** The name as Azure spells it. */
  name: string;
  present: number;
  requested: number;
  /** Templates as JSON, with their weight and the recordings that have them. */
  readonly values: Map<string, { weight: number; sources: Set<string> }>;
}

/** The members of the objects at one path. */
interface Level {
  objects: number;
  readonly members: Map<string, Seen>;
}

/** A member that fewer answers have is left out. */
const usual = 0.5;

const levelOf = (levels: Map<string, Level>, path: string): Level => {
  const level = levels.get(path) ?? { objects: 0, members: new Map() };
  levels.set(path, level);
  return level;
};

/** The members that Azure adds to resources of one type, as `generated/answers.json` has them. */
export function learnMembers(samples: readonly Sample[]): JsonObject {
  const levels = new Map<string, Level>();
  const counts = Map.groupBy(samples, ({ source }) => source);
  for (const sample of samples) {
    const weight = 1 / Math.sqrt(counts.get(sample.source)?.length ?? 1);
    const names = { id: String(sample.answer['id']), location: String(sample.request['location'] ?? ''), item: '' };
    new Walk(levels, weight, sample.source).object(sample.answer, sample.request, '', names);
  }
  return emit(levels, '');
}

const atRoot = new Set(['id', 'name', 'type', 'etag', 'tags', 'location', 'identity', 'systemdata']);

/** Members by which somebody gets access: nothing is added to them. */
const access = new Set(['permissions', 'rights', 'objectid', 'accesspolicies']);

/** Lists that users declare as a whole: what Azure has in them without users depends on more than the type. */
const declaredWhole = new Set(['indexes']);

/** Members that tell of what went wrong in one recording. */
const isOfError = (key: string) => /error(details|s)?$/.test(key);

/** States of a resource at work or in trouble, which are not those that it comes to. */
const isPassing = (key: string, value: unknown) =>
  /(state|status)$/.test(key) &&
  typeof value === 'string' &&
  /^(creating|activating|provisioning|updating|deleting|configuring\w*|\w*error|failed)$/i.test(value);

class Walk {
  readonly #levels: Map<string, Level>;
  readonly #weight: number;
  readonly #source: string;

  constructor(levels: Map<string, Level>, weight: number, source: string) {
    this.#levels = levels;
    this.#weight = weight;
    this.#source = source;
  }

  object(answer: JsonObject, request: unknown, path: string, names: Names): void {
    const level = levelOf(this.#levels, path);
    level.objects += this.#weight;
    const asked = isObject(request) ? request : {};
    const byName = new Map(Object.entries(asked).map(([name, value]) => [name.toLowerCase(), value]));
    for (const [key, value] of byName) {
      if (value === null || value === undefined) byName.delete(key);
      else this.#seen(level, key).requested += this.#weight;
    }
    for (const [name, value] of Object.entries(answer)) {
      const key = name.toLowerCase();
      if (
        value === null ||
        access.has(key) ||
        isOfError(key) ||
        declaredWhole.has(key) ||
        (path === '' && atRoot.has(key)) ||
        (key === 'provisioningstate' && path === 'properties')
      )
        continue;
      const sent = byName.get(key);
      const seen = this.#seen(level, key, name);
      const isNameOfItem = key === 'name' && path.endsWith('[]');
      if (sent === undefined)
        this.#note(
          seen,
          key === 'provisioningstate' ? 'Succeeded' : value,
          isNameOfItem ? { ...names, item: '' } : names,
        );
      this.#below(value, sent, [path, key].filter(Boolean).join('.'), names);
    }
  }

  #seen(level: Level, key: string, name = key): Seen {
    const seen = level.members.get(key) ?? { name, present: 0, requested: 0, values: new Map() };
    if (name !== key) seen.name = name;
    level.members.set(key, seen);
    return seen;
  }

  #note(seen: Seen, value: unknown, names: Names): void {
    seen.present += this.#weight;
    if (isPassing(seen.name.toLowerCase(), value)) return;
    const template = isObject(value) ? '{}' : JSON.stringify(templated(value, names));
    const known = seen.values.get(template) ?? { weight: 0, sources: new Set<string>() };
    known.weight += this.#weight;
    known.sources.add(this.#source);
    seen.values.set(template, known);
  }

  #below(value: unknown, sent: unknown, path: string, names: Names): void {
    if (isObject(value)) this.object(value, sent, path, names);
    if (!Array.isArray(value)) return;
    const asked = Array.isArray(sent) ? sent : [];
    value.forEach((item, index) => {
      const named = asked.find(
        (each) => isObject(each) && isObject(item) && each['name'] !== undefined && each['name'] === item['name'],
      );
      if (isObject(item)) this.object(item, named ?? asked[index], `${path}[]`, itemNames(names, item));
    });
  }
}

function emit(levels: Map<string, Level>, path: string): JsonObject {
  const level = levels.get(path);
  const result: JsonObject = {};
  for (const [key, seen] of [...(level?.members ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const below = [path, key].filter(Boolean).join('.');
    const inObject = levels.has(below) ? emit(levels, below) : undefined;
    const inItems = levels.has(`${below}[]`) ? emit(levels, `${below}[]`) : undefined;
    const possible = (level?.objects ?? 0) - seen.requested;
    const isUsual = seen.present > 0 && seen.present >= usual * possible;
    const value = isUsual ? addedValue(seen, inObject, inItems) : undefined;
    if (value !== undefined) result[seen.name] = value;
    const isWithin =
      value !== undefined && (isObject(value) || (Array.isArray(value) && value.length === 1 && isObject(value[0])));
    if (isWithin) continue;
    if (inObject && Object.keys(inObject).length > 0) result[`${seen.name}?`] = inObject;
    if (inItems && Object.keys(inItems).length > 0) result[`${seen.name}?`] = [inItems];
  }
  return result;
}

/** The value of a member that the request left out; undefined where it differs each time and has no pattern. */
function addedValue(seen: Seen, inObject: JsonObject | undefined, inItems: JsonObject | undefined): unknown {
  const ranked = [...seen.values].sort(([, a], [, b]) => b.weight - a.weight);
  const [first] = ranked;
  if (!first) return undefined;
  const most: unknown = JSON.parse(first[0]);
  if (isObject(most)) return inObject ?? {};
  if (Array.isArray(most)) {
    const literal = first[1].weight >= usual * seen.present && isGeneralValue(most, first[1].sources.size);
    if (most.length === 0 || (literal && (most.length > 1 || !isObject(most[0])))) return most;
    return inItems && Object.keys(inItems).length > 0 ? [inItems] : [];
  }
  // Seconds since 1970.
  if (typeof most === 'number' && most > 1e9 && most < 2e9) return '{epoch}';
  if (typeof most !== 'string') return most;
  for (const [json, { sources }] of ranked) {
    const text: unknown = JSON.parse(json);
    if (typeof text === 'string' && isGeneral(text, sources.size)) return kindOf(text) ?? text;
  }
  return kindOf(most);
}

function isGeneralValue(value: unknown, sources: number): boolean {
  if (typeof value === 'string') return isGeneral(value, sources);
  if (Array.isArray(value)) return value.every((item) => isGeneralValue(item, sources));
  return !isObject(value) || Object.values(value).every((member) => isGeneralValue(member, sources));
}
