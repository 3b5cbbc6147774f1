import { lookup as resolve } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { createDispatcher, type Dispatcher } from '../../../base/http/client.ts';

/** An answer of a target. */
export interface TargetAnswer {
  readonly status: number;
  /** Up to 64 KB; '' where only the status is read. */
  readonly text: string;
}

/** An origin that the operator may ask: exact, or with `*.` before the host for all of its subdomains. */
export interface TargetRule {
  readonly scheme: 'http:' | 'https:';
  readonly host: string;
  readonly port: string;
}

/** The token that one server takes for documents. */
export interface DocumentToken {
  /** Value of the header Authorization; undefined before the server has asked for it. */
  readonly authorization: string | undefined;
  /** Gets the next one for the header WWW-Authenticate of an answer with 401; false where there is no other. */
  obtain(challenge: string, signal: AbortSignal): Promise<boolean>;
}

/** How a document is read. */
export interface DocumentRequest {
  readonly accept: string;
  readonly maxBytes: number;
  /** Origins to which the server may redirect. @default its own */
  readonly redirects?: readonly TargetRule[];
  /** Goes to the origin of the address only. @default none is sent */
  readonly token?: DocumentToken;
  /** Sent by POST, to the address alone: no redirect is followed. @default a GET */
  readonly form?: Readonly<Record<string, string>>;
}

/** A target answers with another status than 200. */
export class UnexpectedStatus extends AzimuthError {
  readonly status: number;

  constructor(url: URL, status: number, sentToken: boolean) {
    const isRefusal = status === 401 || status === 403;
    const reason = sentToken ? 'the server refuses its own token' : 'it must be readable without a credential';
    const hint = isRefusal ? `: ${reason}` : '';
    super('AZ_TERMINAL', `${url.origin}${url.pathname} is answered with ${status}${hint}`);
    this.status = status;
  }
}

const timeoutMs = 10_000;
/** Milliseconds for a document of megabytes. */
const documentTimeoutMs = 60_000;
const mostRedirects = 3;
const mostBytes = 65_536;

/** The rule of a text such as https://prometheus.monitoring:9090 or https://*.example.org; undefined for another text. */
export function tryParseTargetRule(text: string): TargetRule | undefined {
  const url = URL.parse(text.replace('//*.', '//wildcard.'));
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.pathname !== '/' || url.search !== '' || url.username !== '' || /[*]/.test(url.hostname)) return undefined;
  const host = text.includes('//*.') ? url.hostname.replace(/^wildcard/, '*') : url.hostname;
  return { scheme: url.protocol, host, port: url.port };
}

/** Whether a rule allows the origin of a URL. */
export function isAllowedTarget(url: URL, rules: readonly TargetRule[]): boolean {
  return rules.some(
    ({ scheme, host, port }) =>
      scheme === url.protocol &&
      port === url.port &&
      (host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : host === url.hostname),
  );
}

/** Addresses that no rule opens: of the pod itself, its links and the metadata endpoint, and multicast. */
function closedAddresses(): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of [
    ['0.0.0.0', 8],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['168.63.129.16', 32],
    ['224.0.0.0', 3],
  ] as const) {
    list.addSubnet(net, prefix, 'ipv4');
    // NAT64 translates these. Lists of Node compare `::ffff:` addresses as those of IPv4.
    list.addSubnet(`64:ff9b::${net}`, 96 + prefix, 'ipv6');
  }
  for (const [net, prefix] of [
    ['::', 96],
    ['fe80::', 10],
    ['ff00::', 8],
  ] as const)
    list.addSubnet(net, prefix, 'ipv6');
  return list;
}

/** Dependencies of `AllowedTargets`. */
export interface AllowedTargetsDeps {
  readonly rules: readonly TargetRule[];
  /** Hosts of the API server. */
  readonly apiServers: readonly string[];
  /** The setting with the rules. @default --gate-targets */
  readonly setting?: string;
  /** Addresses of a name. @default by DNS */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
}

/**
 * Requests to addresses that tenants write into gates and linked templates. Only origins of the operator's list are asked, and never the operator's
 * own machine, a link-local address or the API server, whatever a name resolves to: the connection goes to the address
 * that was checked. Redirects are checked in the same way.
 */
export class AllowedTargets {
  readonly #deps: AllowedTargetsDeps;
  readonly #setting: string;
  readonly #closed = closedAddresses();

  constructor(deps: AllowedTargetsDeps) {
    this.#deps = deps;
    this.#setting = deps.setting ?? '--gate-targets';
  }

  /** Rejects with AZ_TERMINAL for a target that is not allowed, and with the failure of the connection. */
  async get(address: string, reads: 'status' | 'text', signal: AbortSignal): Promise<TargetAnswer> {
    let url = new URL(address);
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#getOnce(url, reads, ends);
      const { location } = answer;
      if (location === undefined) return answer;
      if (redirects === mostRedirects) throw refused(`${address} redirects too often`);
      url = new URL(location, url);
    }
  }

  /**
   * A document as text. Follows redirects to the same host and to `redirects`. Rejects with AZ_TERMINAL for a target that
   * is not allowed, with UnexpectedStatus for another answer than 200, and where the text is longer than `maxBytes`.
   */
  async document(address: string, request: DocumentRequest, signal: AbortSignal): Promise<string> {
    const { redirects: others = [], token, form } = request;
    const { origin } = new URL(address);
    const ends = AbortSignal.any([signal, AbortSignal.timeout(documentTimeoutMs)]);
    let url = new URL(address);
    for (let redirects = 0; redirects <= mostRedirects; ) {
      const { authorization } = url.origin === origin && token ? token : {};
      const answer = await this.#getOnce(url, 'text', ends, { ...request, authorization });
      const { status, text, location, challenge } = answer;
      if (status === 200) return text;
      const asksForToken = status === 401 && url.origin === origin && challenge !== undefined;
      if (asksForToken && (await token?.obtain(challenge, ends))) continue;
      const next = location === undefined || form ? undefined : new URL(location, url);
      if (!next) throw new UnexpectedStatus(url, status, authorization !== undefined);
      if (next.origin !== url.origin && !isAllowedTarget(next, others)) throw redirected(url, next, this.#setting);
      url = next;
      redirects++;
    }
    throw refused(`${address} redirects more than ${mostRedirects} times`);
  }

  async #getOnce(
    url: URL,
    reads: 'status' | 'text',
    signal: AbortSignal,
    { accept, maxBytes = mostBytes, authorization, redirects = [], form }: GetSettings = {},
  ): Promise<TargetAnswer & { readonly location?: string; readonly challenge?: string }> {
    const dispatcher = await this.#dispatcherTo(url, redirects);
    try {
      const { origin, pathname, search } = url;
      const { statusCode, headers, body } = await dispatcher.request({
        origin,
        path: pathname + search,
        signal,
        headers: {
          ...(accept !== undefined && { accept }),
          ...(authorization !== undefined && { authorization }),
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
      });
      const isRedirect = statusCode >= 300 && statusCode < 400 && typeof headers.location === 'string';
      // A refusal may be longer than the document.
      const limit = statusCode === 200 ? maxBytes : Math.max(maxBytes, mostBytes);
      const text = reads === 'text' && !isRedirect ? await body.text({ maxBytes: limit }) : '';
      const challenge = [headers['www-authenticate'] ?? []].flat().join(', ');
      return {
        status: statusCode,
        text,
        ...(isRedirect && { location: headers.location as string }),
        ...(challenge !== '' && { challenge }),
      };
    } finally {
      await dispatcher.destroy();
    }
  }

  /** A client whose connections go to an allowed address of the host. */
  async #dispatcherTo(url: URL, others: readonly TargetRule[]): Promise<Dispatcher> {
    const { rules, apiServers } = this.#deps;
    if (!isAllowedTarget(url, rules) && !isAllowedTarget(url, others)) {
      const message = `${url.origin} is not among the targets that the operator allows (${this.#setting})`;
      throw new AzimuthError('AZ_TERMINAL', message);
    }
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const addresses = await this.#addressesOf(host);
    // An API server name without an address cannot be reached.
    const theirs = await Promise.all(apiServers.map((name) => this.#addressesOf(name).catch(() => [])));
    const ofApiServer = new BlockList();
    for (const each of theirs.flat()) ofApiServer.addAddress(each, familyOf(each));
    const address = addresses.find((each) => !ofApiServer.check(each, familyOf(each)) && !this.isClosed(each));
    if (address === undefined) {
      const message = `${host} has no address that the operator may ask: it is the API server, loopback or link-local, or has none (${this.#setting})`;
      throw new AzimuthError('AZ_TERMINAL', message);
    }
    return createDispatcher({ proxy: 'none', lookup: lookupOf(address) });
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    const { addressesOf = addressesByDns } = this.#deps;
    return await addressesOf(host).catch((error: unknown) => {
      throw new Error(`${host} cannot be resolved: ${messageOf(error)}`);
    });
  }

  /** Whether no rule opens an address. */
  protected isClosed(address: string): boolean {
    return this.#closed.check(address, familyOf(address));
  }
}

interface GetSettings extends Partial<DocumentRequest> {
  readonly authorization?: string | undefined;
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Every name has the address that was checked. */
function lookupOf(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, callback) => (all ? callback(null, [{ address, family }]) : callback(null, address, family));
}

async function addressesByDns(host: string): Promise<readonly string[]> {
  return (await resolve(host, { all: true })).map(({ address }) => address);
}

function redirected(from: URL, to: URL, setting: string): AzimuthError {
  const where = `${from.origin}${from.pathname} redirects to another host, ${to.origin}`;
  return refused(`${where}: ${setting} does not name it for ${from.host}`);
}

const refused = (message: string) => new AzimuthError('AZ_TERMINAL', message);
