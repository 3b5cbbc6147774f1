const guid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const mail = /[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g;
const address = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;
/** A global address of IPv6. */
const address6 = /(?<![\w:])[23][0-9a-f]{3}(?::[0-9a-f]{0,4}){2,7}/gi;
/** Addresses that say nothing of a place in the internet. */
const local =
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|255|168\.63\.129\.16)(\.|$)/;
/** Definitions with public ids, which a replay needs. */
const publicId = /\/(roleDefinitions|policyDefinitions|policySetDefinitions)\/$/i;

const numbered = (number: number | string) => `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;

/** The ids of a session in the order in which they occur, with what stands for each: the first subscription is 0. */
export class Identifiers {
  readonly #ids = new Map<string, string>();
  readonly #etags = new Map<string, string>();
  #subscription = false;
  #tenant = false;
  #next = 1;

  /** The text with other ids, mail addresses and public IP addresses; `name` is that of its member. */
  text(text: string, name = ''): string {
    const masked = text
      .replaceAll(mail, 'user@example.com')
      .replaceAll(guid, (id, offset: number) =>
        publicId.test(text.slice(0, offset)) ? id : this.#standsFor(id, text.slice(0, offset), name),
      );
    if (/version$/i.test(name)) return masked;
    return masked
      .replaceAll(address, (ip) => (local.test(ip) ? ip : '203.0.113.1'))
      .replaceAll(address6, '2001:db8::1');
  }

  /** What stands for an etag, in a header or a member. */
  etag(etag: string): string {
    if (etag === '*') return etag;
    const known = this.#etags.get(etag) ?? `W/"${numbered(this.#next++)}"`;
    this.#etags.set(etag, known);
    return known;
  }

  #standsFor(id: string, before: string, name: string): string {
    const key = id.toLowerCase();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const made = this.#made(/subscriptions\/$/i.test(before), /^tenantid$/i.test(name) || /tenants\/$/i.test(before));
    this.#ids.set(key, made);
    return made;
  }

  #made(isSubscription: boolean, isTenant: boolean): string {
    if (isSubscription && !this.#subscription) {
      this.#subscription = true;
      return numbered(0);
    }
    if (isTenant && !this.#tenant) {
      this.#tenant = true;
      return numbered('aaaa');
    }
    return numbered(this.#next++);
  }
}
