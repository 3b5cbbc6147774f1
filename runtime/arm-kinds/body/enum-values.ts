import type { ArmKind, FieldTree } from '../../api/types.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { MovedValue } from '../moved/moved-value.ts';
import { SecretValue } from '../secret-value.ts';
import { EmptyObject } from '../values/empty-object.ts';
import { pathMembers } from '../values/json-object.ts';
import { SharedList } from '../values/shared-list.ts';
import { rootPath } from './arm-body.ts';

/**
 * A declared word of an enumeration. ARM takes such words in any case and some services give them back in another one, as Key
 * Vault does with `Get` in an access policy, so only the letters are compared. Free texts are never marked as such.
 */
export class EnumWord {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  is(live: unknown): boolean {
    return typeof live === 'string' && live.toLowerCase() === this.text.toLowerCase();
  }
}

/** The body for comparisons, with its words of enumerations and its empty objects marked. */
export function withEnumWords(arm: ArmKind, body: JsonObject): JsonObject {
  if (Object.keys(body).length === 0) return body;
  const place = places.get(arm) ?? placesOf(arm);
  places.set(arm, place);
  return marked(body, place) as JsonObject;
}

/** A place of a body: whether it is a word of an enumeration, and the places below it. */
interface Place {
  word?: boolean;
  readonly members: Map<string, Place>;
  /** Of the items of a list, or the values of a map. */
  each?: Place;
}

const places = new WeakMap<ArmKind, Place>();

function placesOf(arm: ArmKind): Place {
  const root: Place = { members: new Map() };
  for (const [name, tree] of Object.entries(arm.fields.properties ?? {})) {
    note(tree, below(root, rootPath(arm, name, tree)));
  }
  return root;
}

/** '' inlines an object into its ARM parent. */
function below(place: Place, armPath: string): Place {
  let at = place;
  for (const name of armPath === '' ? [] : pathMembers(armPath)) {
    const member = at.members.get(name) ?? { members: new Map() };
    at.members.set(name, member);
    at = member;
  }
  return at;
}

function note(tree: FieldTree, place: Place): void {
  // A place that several fields write to has a word only if each of them has.
  if (tree.type === 'string') place.word = (place.word ?? true) && isEnumeration(tree);
  for (const [name, property] of Object.entries(tree.properties ?? {})) {
    note(property, below(place, property.arm ?? name));
  }
  const each = tree.items ?? tree.values;
  if (each === undefined) return;
  place.each ??= { members: new Map() };
  note(each, place.each);
}

/** Not where two words differ in case only. */
function isEnumeration({ enum: words = [] }: FieldTree): boolean {
  return words.length > 0 && new Set(words.map((word) => String(word).toLowerCase())).size === words.length;
}

/** Parts without such words are shared with the value: secrets in them cannot be copied. */
function marked(value: unknown, place: Place | undefined): unknown {
  if (!place) return value;
  if (typeof value === 'string') return place.word ? new EnumWord(value) : value;
  if (Array.isArray(value)) return place.each ? value.map((item) => marked(item, place.each)) : value;
  if (value instanceof SharedList) return place.each ? value.mapped((item) => marked(item, place.each)) : value;
  if (value instanceof MovedValue) return new MovedValue(marked(value.declared, place), value.isMoved);
  if (!isObject(value) || value instanceof SecretValue || (place.members.size === 0 && !place.each)) return value;
  const members = Object.entries(value);
  if (members.length === 0 && !place.each) return new EmptyObject(place.members.keys());
  return Object.fromEntries(
    members.map(([name, member]) => [name, marked(member, place.members.get(name) ?? place.each)]),
  );
}
