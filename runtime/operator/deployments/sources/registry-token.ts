import { AzimuthError } from '../../../base/errors.ts';
import {
  type AllowedTargets,
  type DocumentToken,
  isAllowedTarget,
  type TargetRule,
  UnexpectedStatus,
} from '../targets/allowed-targets.ts';
import { type PrivateToken, pullScope, type RegistryPlace, tryTokenIn } from './registry-tokens.ts';

const maxBytes = 65_536;
const parameterForm = /([a-z]{1,16})\s{0,8}=\s{0,8}"([^"]{0,2048})"/gi;
/** Answers of a token server that gives no anonymous token. */
const noAnonymous: ReadonlySet<number> = new Set([400, 401, 403]);

/** Where the token of a registry may come from. */
export interface TokenPlace extends RegistryPlace {
  /** Hosts that the operator's setting names beside the registry. */
  readonly others: readonly TargetRule[];
}

/**
 * The token of one repository, as the token authentication of the distribution specification describes it. First comes an
 * anonymous one. The registry chooses where that comes from: by HTTPS from its own host or one that the operator's setting
 * names. Where the registry refuses it, `privateToken` gets one with a credential; no text of the registry decides about that.
 * A token may pull this repository, whatever scope the registry asks for.
 */
export class RegistryToken implements DocumentToken {
  readonly #targets: Pick<AllowedTargets, 'document'>;
  readonly #place: TokenPlace;
  readonly #privateToken: PrivateToken | undefined;
  #token: string | undefined;
  #next: 'anonymous' | 'private' | 'none' = 'anonymous';

  constructor(targets: Pick<AllowedTargets, 'document'>, place: TokenPlace, privateToken?: PrivateToken) {
    this.#targets = targets;
    this.#place = place;
    this.#privateToken = privateToken;
  }

  get authorization(): string | undefined {
    return this.#token === undefined ? undefined : `Bearer ${this.#token}`;
  }

  /** Rejects with AZ_TERMINAL for a challenge or a token that is refused, and with the failure of the connection. */
  async obtain(challenge: string, signal: AbortSignal): Promise<boolean> {
    if (this.#next === 'anonymous') {
      this.#next = 'private';
      this.#token = await this.#anonymous(challenge, signal);
      if (this.#token !== undefined) return true;
    }
    if (this.#next === 'private') {
      this.#next = 'none';
      this.#token = await this.#privateToken?.obtain(this.#place, signal);
      return this.#token !== undefined;
    }
    this.#privateToken?.failRefused(this.#place);
    return false;
  }

  /** Undefined where the server of the tokens gives none without a credential. */
  async #anonymous(challenge: string, signal: AbortSignal): Promise<string | undefined> {
    const { registry, repository, others } = this.#place;
    const { realm = '', service } = parameters(challenge);
    const url = URL.parse(realm);
    const isRealm = url?.protocol === registry.protocol && url.username === '' && url.password === '';
    if (!isRealm) throw refused(`${registry.host} asks for a credential that is no token of an HTTPS address`);
    if (url.origin !== registry.origin && !isAllowedTarget(url, others)) {
      const fix = `name it beside the registry, as ${registry.host}=${url.host} (--template-registries)`;
      throw refused(`${registry.host} asks for a token of ${url.host}: ${fix}`);
    }
    if (service !== undefined) url.searchParams.set('service', service);
    url.searchParams.set('scope', pullScope(repository));
    const request = { accept: 'application/json', maxBytes, redirects: others };
    const text = await this.#targets.document(url.href, request, signal).catch((error: unknown) => {
      if (error instanceof UnexpectedStatus && noAnonymous.has(error.status)) return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const token = tryTokenIn(text, 'token', 'access_token');
    if (token === undefined) throw refused(`${url.origin}${url.pathname} answers without a token`);
    return token;
  }
}

/** The parameters of the first Bearer challenge. */
function parameters(challenge: string): { readonly realm?: string; readonly service?: string } {
  const [, text = ''] = /(?:^|,\s{0,8})Bearer\s(.{0,8192})/is.exec(challenge) ?? [];
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(parameterForm))
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), value);
  return Object.fromEntries(values);
}

const refused = (message: string) => new AzimuthError('AZ_TERMINAL', message);
