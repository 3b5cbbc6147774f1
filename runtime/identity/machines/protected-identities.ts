import { LRUCache } from 'lru-cache';
import { ArmError } from '../../azure/arm/errors.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import { messageOf } from '../../base/errors.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { identityApiVersion } from '../verification/identity-reader.ts';

/** Dependencies of the protection. */
export interface ProtectedIdentitiesDeps {
  readonly runtime: Runtime;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  /** Client ids, in any letter case, of identities that the controller never detaches. Read each time. */
  readonly clientIds: () => readonly string[];
}

/** Most pages of one list; each has a hundred identities or more. */
const mostPages = 50;
/** Most identities whose client id is remembered. */
const mostKnown = 20_000;
const retryMs = 600_000;

/**
 * The identities with a client id of `--immutable-user-msis`, which the controller never detaches. The flag has
 * client ids and machines have ARM ids, so the controller resolves them in Azure. While a client id of the flag is
 * unresolved, every identity is protected.
 */
export class ProtectedIdentities {
  readonly #deps: ProtectedIdentitiesDeps;
  /** Client id by ARM id, both in lower case, as read from Azure. */
  readonly #clientIds: LRUCache<string, string>;
  /** Client ids that are read. Each check of the flag uses those of the flag, so that others are evicted first. */
  readonly #known: LRUCache<string, true>;
  #resolving = false;
  #nextResolve = Number.NEGATIVE_INFINITY;

  constructor(deps: ProtectedIdentitiesDeps, most = mostKnown) {
    this.#deps = deps;
    this.#clientIds = new LRUCache({ max: most });
    this.#known = new LRUCache({ max: most });
  }

  /**
   * Remembers the client id of an identity, from the body of a machine or of the identity. The former client id of a
   * recreated identity belongs to no identity any more.
   */
  learn(identity: string, clientId: string): void {
    if (clientId === '') return;
    const [id, learned] = [identity.toLowerCase(), clientId.toLowerCase()];
    const former = this.#clientIds.get(id);
    if (former !== undefined && former !== learned) this.#known.delete(former);
    this.#clientIds.set(id, learned);
    this.#known.set(learned, true);
  }

  /** Whether the identity must stay attached. */
  protects(identity: string): boolean {
    const listed = this.#listed();
    if (listed.length === 0) return false;
    if (this.#unresolved().length > 0) return true;
    const clientId = this.#clientIds.get(identity.toLowerCase());
    return clientId === undefined || listed.includes(clientId);
  }

  /** Lists the identities of the machine's subscription while a client id of the flag is unresolved. */
  async resolve(machine: string, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps.runtime;
    if (this.#resolving || this.#unresolved().length === 0 || clock.monotonic() < this.#nextResolve) return;
    this.#resolving = true;
    this.#nextResolve = clock.monotonic() + retryMs;
    let why = 'no identity of the subscription has it';
    try {
      await this.#list(tryParseResourceId(machine)?.subscriptionId ?? '', signal);
    } catch (error) {
      why = error instanceof ArmError ? error.info.code : messageOf(error);
    } finally {
      this.#resolving = false;
    }
    const unresolved = this.#unresolved();
    if (unresolved.length > 0 && !signal.aborted) {
      log.warn(
        { clientIds: unresolved, why, retryInMs: retryMs },
        'unknown client id: the controller detaches no identity',
      );
    }
  }

  async #list(subscription: string, signal: AbortSignal): Promise<void> {
    const { arm, authorizer } = this.#deps;
    const api = { apiVersion: identityApiVersion };
    let path = `/subscriptions/${subscription}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`;
    let request = { method: 'GET', path, authorizer, background: true, signal, ...api } as const;
    for (let page = 0; page < mostPages && path !== ''; page++) {
      const { body } = await arm.send(request);
      const { value, nextLink } = (body ?? {}) as { value?: unknown; nextLink?: unknown };
      for (const item of Array.isArray(value) ? value : []) {
        const { id, properties } = (item ?? {}) as { id?: unknown; properties?: { clientId?: unknown } };
        if (typeof id === 'string' && typeof properties?.clientId === 'string') this.learn(id, properties.clientId);
      }
      path = typeof nextLink === 'string' ? nextLink : '';
      request = { method: 'GET', path, authorizer, background: true, signal, apiVersion: identityApiVersion };
    }
  }

  #listed(): string[] {
    return this.#deps
      .clientIds()
      .map((id) => normalizeText(id).toLowerCase())
      .filter((id) => id !== '');
  }

  #unresolved(): string[] {
    return this.#listed().filter((id) => !this.#known.get(id));
  }
}
