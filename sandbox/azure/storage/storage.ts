import type { Clock } from '../../../runtime/base/clock.ts';
import type { StoredResource } from '../arm/resources/stored-resources.ts';
import type { TokenIssuer } from '../entra/tokens.ts';
import { decoded, type Exchange, type Reply } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { SandboxState } from '../state.ts';
import { callerOf, keysOf, requireRight } from './access/callers.ts';
import { delegationKey } from './access/delegation-keys.ts';
import { answerBlobs } from './blobs/blob-service.ts';
import { delegationMembers } from './blobs/container-operations.ts';
import type { StorageCall, StorageService } from './call.ts';
import { answerQueues } from './queues/queue-service.ts';
import { element, leaf, notFound, xmlReply } from './xml.ts';

/** The dependencies of the data planes of storage accounts. */
export interface StorageDeps {
  readonly state: SandboxState;
  readonly tokens: TokenIssuer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tenantId: string;
  /** Where clients get tokens: the authority with the tenant. */
  readonly authority: () => string;
}

const accountType = 'Microsoft.Storage/storageAccounts';
/** `name.blob.localhost`, `name.blob.core.windows.net`: an account in the Host header. Others have it in the path. */
const namedHost = /^([a-z0-9]{3,24})\.(blob|queue)\.(?:localhost|core\.windows\.net)(?::\d+)?$/i;

/** Blobs and queues of every account: at `/<account>` of one port for each, and where the Host header names the account. */
export class StorageDataPlane {
  readonly #deps: StorageDeps;

  constructor(deps: StorageDeps) {
    this.#deps = deps;
  }

  /** Answers requests to one service; a Host header may name another. */
  handler(service: StorageService) {
    return async (exchange: Exchange): Promise<Reply> => {
      const place = this.#place(exchange, service);
      const call = await this.#call(exchange, place);
      const reply = place.service === 'blob' ? await this.#answer(call) : answerQueues(call);
      const version = exchange.headers['x-ms-version'] ?? exchange.query.get('sv') ?? '2021-12-02';
      return { ...reply, headers: { 'x-ms-version': version, ...reply.headers } };
    };
  }

  #answer(call: StorageCall): Promise<Reply> {
    return answerBlobs(call, (each) => {
      const members = delegationMembers(each, this.#deps.tenantId);
      const key = delegationKey(each.account, keysOf(each.account), Object.values(members));
      const leaves = Object.entries({ ...members, Value: key }).map(([name, text]) => leaf(name, text));
      return { status: 200, ...xmlReply(element('UserDelegationKey', ...leaves)) };
    });
  }

  #place({ host, origin, segments }: Exchange, service: StorageService): Place {
    const [, inHost, named] = namedHost.exec(host) ?? [];
    const name = inHost ?? segments[0]?.replace(/-secondary$/, '') ?? '';
    const account = this.#account(name);
    if (!account) throw notFound('ResourceNotFound', 'account');
    const isNamed = inHost !== undefined;
    return {
      account,
      service: named === undefined ? service : (named.toLowerCase() as StorageService),
      names: isNamed ? segments : segments.slice(1),
      address: isNamed ? origin : `${origin}/${name}`,
    };
  }

  #account(name: string): StoredResource | undefined {
    const isNamed = (each: StoredResource) => each.name.toLowerCase() === name.toLowerCase();
    return this.#deps.state.resources.ofType(accountType).find(isNamed);
  }

  async #call(exchange: Exchange, place: Place): Promise<StorageCall> {
    const { state, tokens, clock, ids } = this.#deps;
    const { account, service } = place;
    const names = namesOf(exchange, place);
    const [container, ...rest] = names;
    const blob = service === 'blob' && rest.length > 0 ? rest.join('/') : undefined;
    const target = { service, account: account.name, container, blob };
    const now = clock.now();
    const caller = await callerOf(exchange, account, target, { state, tokens, now, authority: this.#deps.authority() });
    const call: StorageCall = {
      exchange,
      ...place,
      names,
      state,
      ids,
      now,
      principalId: caller.principalId,
      demand: (need) => requireRight(caller, need),
      other: async (text, authorization) => {
        const found = this.#at(text, exchange, authorization);
        if (!found) return undefined;
        const isOwn =
          found.place.account === account && authorization === undefined && !found.exchange.query.has('sig');
        if (!isOwn) return await this.#call(found.exchange, found.place);
        if (caller.hasKey) return { ...call, exchange: found.exchange, names: namesOf(found.exchange, found.place) };
        const { authorization: token } = exchange.headers;
        return await this.#call({ ...found.exchange, headers: { authorization: token } }, found.place);
      },
      part: (method, path, headers) => this.#part(exchange, place, { method, path, headers }),
    };
    return call;
  }

  /** The request that reads a URL of this sandbox; undefined for another host. */
  #at(text: string, exchange: Exchange, authorization: string | undefined) {
    if (!URL.canParse(text)) return undefined;
    const url = new URL(text);
    const isHere = url.host === exchange.host || namedHost.test(url.host);
    if (!isHere) return undefined;
    const source: Exchange = {
      ...exchange,
      method: 'GET',
      host: url.host,
      origin: url.origin,
      ...readUrl(url),
      headers: authorization === undefined ? {} : { authorization },
      body: Buffer.alloc(0),
    };
    return { exchange: source, place: this.#place(source, 'blob') };
  }

  /** A part of a batch names no account in its path where its client leaves it out. */
  async #part(
    exchange: Exchange,
    place: Place,
    { method, path, headers }: { method: string; path: string; headers: Readonly<Record<string, string>> },
  ): Promise<StorageCall> {
    const part: Exchange = {
      ...exchange,
      method,
      ...readUrl(new URL(path, exchange.origin)),
      headers,
      body: Buffer.alloc(0),
    };
    const { segments } = part;
    const hasAccount = place.address !== exchange.origin && segments[0] === place.account.name && segments.length > 2;
    return await this.#call(part, { ...place, names: hasAccount ? segments.slice(1) : segments });
  }
}

interface Place {
  readonly account: StoredResource;
  readonly service: StorageService;
  readonly names: readonly string[];
  readonly address: string;
}

/** A path of one name is a blob of the container `$root`, unless the query says that it names a container. */
function namesOf({ query }: Exchange, { service, names }: Place): readonly string[] {
  const isContainer = ['container', 'account'].includes(query.get('restype')?.toLowerCase() ?? '');
  return service === 'blob' && names.length === 1 && !isContainer ? ['$root', ...names] : names;
}

const readUrl = (url: URL) => ({
  url,
  segments: url.pathname.split('/').filter(Boolean).map(decoded),
  query: url.searchParams,
});
