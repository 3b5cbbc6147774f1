import { isObject } from '../../runtime/base/json.ts';

const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const wholeGuid = new RegExp(`^${guid.source}$`, 'i');

/** The ids and etags of a session by those that the sandbox made in their place. */
export class Translation {
  readonly #made = new Map<string, string>();
  /** Ids that the client chose. */
  readonly #chosen = new Set<string>();

  constructor(subscriptionId: string, tenantId: string) {
    this.#made.set('00000000-0000-0000-0000-000000000000', subscriptionId);
    this.#made.set('00000000-0000-0000-0000-00000000aaaa', tenantId);
  }

  /** The text with the sandbox's ids; those that no answer gave stay. */
  text(text: string): string {
    const whole = this.#made.get(text);
    if (whole !== undefined) return whole;
    return text.replaceAll(guid, (id) => {
      const made = this.#made.get(id.toLowerCase());
      if (made === undefined) this.#chosen.add(id.toLowerCase());
      return made ?? id;
    });
  }

  /** The same for every text of a JSON value, names of members included. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [this.text(name), this.json(member)]));
  }

  /** Whether an answer gave the id. */
  has(id: string): boolean {
    return this.#made.has(id.toLowerCase());
  }

  /** Pairs the ids and etags at the same paths of two answers. */
  learn(azure: unknown, here: unknown, name = ''): void {
    if (typeof azure === 'string' && typeof here === 'string') this.#pair(azure, here, name);
    else if (Array.isArray(azure) && Array.isArray(here)) {
      azure.forEach((item, index) => {
        this.learn(item, here[index]);
      });
    } else if (isObject(azure) && isObject(here)) {
      const byName = new Map(Object.entries(here).map(([each, value]) => [each.toLowerCase(), value]));
      for (const [each, value] of Object.entries(azure)) {
        this.learn(value, byName.get(this.text(each).toLowerCase()), each);
      }
    }
  }

  #pair(azure: string, here: string, name: string): void {
    if (name.toLowerCase() === 'etag') this.#made.set(azure, here);
    else if (wholeGuid.test(azure) && wholeGuid.test(here) && !this.#chosen.has(azure.toLowerCase())) {
      if (!this.#made.has(azure.toLowerCase())) this.#made.set(azure.toLowerCase(), here);
    }
  }
}
