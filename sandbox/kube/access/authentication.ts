import type { TLSSocket } from 'node:tls';
import type { Store } from '../model/store.ts';
import type { User } from '../model/user.ts';
import type { TokenClaims, TokenIssuer } from './tokens.ts';

const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const authenticated = (user: User): User => ({ ...user, groups: [...user.groups, 'system:authenticated'] });

interface Subject {
  readonly CN?: string;
  readonly O?: string | string[];
}

/** Where users come from. */
export interface AuthenticatorOptions {
  readonly store: Store;
  readonly issuer: TokenIssuer;
  /** Tokens that never expire, with their users. */
  readonly staticTokens?: ReadonlyMap<string, User>;
}

/** Finds the sender of a request: by client certificate, then bearer token; otherwise `system:anonymous`. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  /** Of a connection it is the same for all requests, and reading it takes longer than most of them. */
  readonly #subjects = new WeakMap<TLSSocket, Subject | 'none'>();

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  /** Undefined means 401: a credential was shown and is not good. */
  async authenticate(socket: TLSSocket, authorization: string | undefined): Promise<User | undefined> {
    const subject = this.#subjectOf(socket);
    if (subject !== 'none') {
      if (!socket.authorized) return undefined;
      const { CN, O } = subject;
      if (CN) return authenticated({ name: CN, groups: O === undefined ? [] : [O].flat() });
    }
    const bearer = /^bearer\s+(.*)$/i.exec(authorization ?? '')?.[1]?.trim();
    if (!bearer) return anonymous;
    return (await this.byToken(bearer))?.user;
  }

  #subjectOf(socket: TLSSocket): Subject | 'none' {
    const known = this.#subjects.get(socket);
    if (known) return known;
    const subject = (socket.getPeerCertificate()?.subject as Subject | undefined) ?? 'none';
    this.#subjects.set(socket, subject);
    return subject;
  }

  /** The user of a token with the audiences it is good for; undefined when it is not valid for any of `audiences`. */
  async byToken(
    token: string,
    audiences: readonly string[] = [this.#options.issuer.issuer],
  ): Promise<{ user: User; audiences: readonly string[] } | undefined> {
    const known = this.#options.staticTokens?.get(token);
    if (known) return { user: authenticated(known), audiences };
    const claims = await this.#options.issuer.verify(token);
    if (!claims) return undefined;
    const shared = claims.aud.filter((audience) => audiences.includes(audience));
    if (shared.length === 0 || !this.#stillBound(claims)) return undefined;
    const { namespace, serviceaccount, pod } = claims['kubernetes.io'];
    const user: User = {
      name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
      uid: serviceaccount.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: {
        'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`],
        ...(pod && {
          'authentication.kubernetes.io/pod-name': [pod.name],
          'authentication.kubernetes.io/pod-uid': [pod.uid],
        }),
      },
    };
    return { user: authenticated(user), audiences: shared };
  }

  /** A token dies with its service account and with the Pod or Secret it is bound to. */
  #stillBound(claims: TokenClaims): boolean {
    const { namespace, serviceaccount, pod, secret } = claims['kubernetes.io'];
    const exists = (bucket: string, reference: { name: string; uid: string } | undefined) =>
      !reference ||
      this.#options.store.get(bucket, `${namespace}/${reference.name}`)?.['metadata'].uid === reference.uid;
    return exists('serviceaccounts', serviceaccount) && exists('pods', pod) && exists('secrets', secret);
  }
}
