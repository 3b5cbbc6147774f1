import { AzimuthError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import {
  type AllowedTargets,
  type DocumentToken,
  isAllowedTarget,
  type TargetRule,
} from '../targets/allowed-targets.ts';

const maxBytes = 65_536;
/** Characters of a header field: a token is base64 with dots and the like. */
const tokenForm = /^[\w.~+/=-]{1,32768}$/;
const parameterForm = /([a-z]{1,16})\s{0,8}=\s{0,8}"([^"]{0,2048})"/gi;

/** Where the token of a registry may come from. */
export interface TokenPlace {
  readonly registry: URL;
  readonly repository: string;
  /** Hosts that the operator's setting names beside the registry. */
  readonly others: readonly TargetRule[];
}

/**
 * The anonymous token of one repository, as the token authentication of the distribution specification describes. The
 * registry chooses where it comes from: by HTTPS from its own host or one that the operator's setting names. The token may
 * pull this repository, whatever scope the registry asks for.
 */
export class RegistryToken implements DocumentToken {
  readonly #targets: Pick<AllowedTargets, 'document'>;
  readonly #place: TokenPlace;
  #token: string | undefined;

  constructor(targets: Pick<AllowedTargets, 'document'>, place: TokenPlace) {
    this.#targets = targets;
    this.#place = place;
  }

  get authorization(): string | undefined {
    return this.#token === undefined ? undefined : `Bearer ${this.#token}`;
  }

  /** Rejects with AZ_TERMINAL for a challenge or a token that is refused, and with the failure of the connection. */
  async obtain(challenge: string, signal: AbortSignal): Promise<void> {
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
    url.searchParams.set('scope', `repository:${repository}:pull`);
    const request = { accept: 'application/json', maxBytes, redirects: others };
    this.#token = tokenOf(await this.#targets.document(url.href, request, signal));
    if (this.#token === undefined) throw refused(`${url.origin}${url.pathname} answers without a token`);
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

function tokenOf(text: string): string | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { token, access_token: accessToken } = isObject(answer) ? answer : {};
  const value = token ?? accessToken;
  return typeof value === 'string' && tokenForm.test(value) ? value : undefined;
}

const refused = (message: string) => new AzimuthError('AZ_TERMINAL', message);
