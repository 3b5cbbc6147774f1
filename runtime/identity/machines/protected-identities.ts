import { ArmError } from '../../azure/arm/errors.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import { messageOf } from '../../base/errors.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { identityApiVersion } from '../verification/identity-reader.ts';

export interface ProtectedIdentitiesParts {
  readonly runtime: Runtime;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  /** Client ids, in any case, of identities that are never detached. Read each time. */
  readonly clientIds: () => readonly string[];
}

/** Pages of one list; each has a hundred identities or more. */
const mostPages = 50;
/** Identities whose client id is remembered. */
const mostKnown = 20_000;
const retryMs = 600_000;

/**
 * Which identities are never detached: those with a client id of `--immutable-user-msis`. The flag has client ids and
 * machines have ARM ids, so Azure is asked. While one client id of the flag belongs to no identity that Azure showed,
 * every identity is protected: it may be the one.
 */
export class ProtectedIdentities {
  readonly #parts: ProtectedIdentitiesParts;
  /** Client id by ARM id, both in lower case, as Azure showed them. */
  readonly #clientIds = new Map<string, string>();
  readonly #known = new Set<string>();
  #resolving = false;
  #nextResolve = Number.NEGATIVE_INFINITY;

  constructor(parts: ProtectedIdentitiesParts) {
    this.#parts = parts;
  }

  /** Takes in what Azure showed: the body of a machine or of an identity. */
  learn(identity: string, clientId: string): void {
    if (clientId === '') return;
    if (this.#clientIds.size >= mostKnown) {
      this.#clientIds.clear();
      this.#known.clear();
    }
    this.#clientIds.set(identity.toLowerCase(), clientId.toLowerCase());
    this.#known.add(clientId.toLowerCase());
  }

  /** Whether the identity must stay where it is. */
  protects(identity: string): boolean {
    const listed = this.#listed();
    if (listed.length === 0) return false;
    if (this.#unresolved().length > 0) return true;
    const clientId = this.#clientIds.get(identity.toLowerCase());
    return clientId === undefined || listed.includes(clientId);
  }

  /** Lists the identities of the machine's subscription where a client id of the flag is not known yet. */
  async resolve(machine: string, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts.runtime;
    if (this.#resolving || this.#unresolved().length === 0 || clock.monotonic() < this.#nextResolve) return;
    this.#resolving = true;
    this.#nextResolve = clock.monotonic() + retryMs;
    let why = 'no identity of the subscription has it';
    try {
      await this.#list(tryParseResourceId(machine)?.subscriptionId ?? '', signal);
    } catch (error) {
      why = error instanceof ArmError ? error.facts.code : messageOf(error);
    } finally {
      this.#resolving = false;
    }
    const unresolved = this.#unresolved();
    if (unresolved.length > 0 && !signal.aborted) {
      log.warn({ clientIds: unresolved, why, retryInMs: retryMs }, 'unknown client id: no identity is detached');
    }
  }

  async #list(subscription: string, signal: AbortSignal): Promise<void> {
    const { arm, authorizer } = this.#parts;
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
    return this.#parts
      .clientIds()
      .map((id) => id.trim().toLowerCase())
      .filter((id) => id !== '');
  }

  #unresolved(): string[] {
    return this.#listed().filter((id) => !this.#known.has(id));
  }
}
