import { setOwn } from '../../arm-kinds/values/json-object.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { SecretValue } from '../../base/secret-value.ts';
import {
  isFromSecrets,
  isTemplateArray,
  isTemplateObject,
  secretOf,
  type TemplateObject,
  type TemplateValue,
  Unknown,
} from '../templates/values/value.ts';
import { infoOf } from '../templates/values/value-info.ts';

/** A secret, an unknown value or a reference to a secret, and its place in the body: `properties.osProfile.adminPassword`. */
export interface SpecialValue {
  readonly value: TemplateValue;
  readonly path: string;
}

/**
 * A body as plain JSON, in which a text stands for each special value: conversions between a body and a spec move texts
 * without reading them. No text of the template is one of these.
 */
export class TokenizedBody {
  readonly body: JsonObject;
  readonly #special = new Map<string, SpecialValue>();
  readonly #mark: string;

  constructor(body: TemplateObject) {
    const { secret, unknown, reference } = infoOf(body);
    const text = secret || unknown || reference ? JSON.stringify(body) : '';
    let longest = 0;
    for (const [, run = ''] of text.matchAll(/\(value(_*)/g)) longest = Math.max(longest, run.length + 1);
    this.#mark = `(value${'_'.repeat(longest)}`;
    this.body = this.#plain(body, '') as JsonObject;
  }

  /** The special value that the text stands for; undefined for an ordinary value. */
  special(text: unknown): SpecialValue | undefined {
    return typeof text === 'string' ? this.#special.get(text) : undefined;
  }

  /** A text that stands for a value which is a part of another one. */
  add(value: TemplateValue, path: string): string {
    const token = `${this.#mark}${this.#special.size})`;
    this.#special.set(token, { value, path });
    return token;
  }

  /** A copy of a part with its special values back in their places. `visit` gets each of them. */
  restored(value: unknown, visit: (special: SpecialValue) => void): unknown {
    const special = this.special(value);
    if (special) {
      visit(special);
      return special.value;
    }
    if (Array.isArray(value)) return value.map((item) => this.restored(item, visit));
    if (!isObject(value)) return value;
    const copy: JsonObject = {};
    for (const [name, member] of Object.entries(value)) setOwn(copy, name, this.restored(member, visit));
    return copy;
  }

  #plain(value: TemplateValue, path: string): unknown {
    if (isTemplateArray(value)) return value.map((item, index) => this.#plain(item, `${path}[${index}]`));
    if (isTemplateObject(value)) {
      const object: JsonObject = {};
      for (const [name, member] of Object.entries(value)) {
        setOwn(object, name, this.#plain(member, path === '' ? name : `${path}.${name}`));
      }
      return object;
    }
    const isSpecial = value instanceof SecretValue || value instanceof Unknown || isFromSecrets(value);
    if (!isSpecial) return value;
    const open = value instanceof SecretValue ? (value as SecretValue<TemplateValue>).reveal() : value;
    if (value instanceof SecretValue && (isTemplateArray(open) || isTemplateObject(open))) {
      return this.#plain(withSecretMembers(open), path);
    }
    return this.add(open instanceof Unknown || isFromSecrets(open) ? open : value, path);
  }
}

/** A collection that is a secret, as a collection of secrets. */
function withSecretMembers(value: readonly TemplateValue[] | TemplateObject): TemplateValue {
  if (isTemplateArray(value)) return value.map(secretMember);
  const members = Object.entries(value).map(([name, member]) => [name, secretMember(member)]);
  return Object.assign(Object.create(null), Object.fromEntries(members)) as TemplateObject;
}

const secretMember = (member: TemplateValue): TemplateValue =>
  member instanceof Unknown || isFromSecrets(member) ? member : secretOf(member);
