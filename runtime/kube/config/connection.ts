/** Address and authentication of an API server, from a kubeconfig context or a pod's mounts. */
export interface KubeConnection {
  /** Names the origin in error messages: the kubeconfig file and context, or `in-cluster`. */
  readonly source: string;
  /** Base URL without a trailing slash; may have a path. */
  readonly server: string;
  /** The namespace for objects that name none. */
  readonly namespace: string;
  /** PEM bundle to trust. @default the built-in roots and NODE_EXTRA_CA_CERTS */
  readonly ca?: TextSource;
  readonly insecureSkipTlsVerify?: boolean;
  /** Replaces the host name of `server` in the check of the server's certificate. */
  readonly tlsServerName?: string;
  /** A proxy's URL (http, https or socks5), or 'none'. @default by HTTPS_PROXY, HTTP_PROXY and NO_PROXY */
  readonly proxy?: string;
  readonly impersonate?: Impersonation;
  readonly credential: Credential;
}

/** The user that requests are made as (Impersonate-User and its companions). */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A text that may change while the program runs. */
export interface TextSource {
  /** The text as it is known now. */
  read(): string;
  /** Drops the text, so that the next `read` reads the source again. */
  refresh(): void;
}

/** The credential that a request carries. */
export interface ClientAuth {
  /** The whole Authorization header. */
  readonly authorization?: string;
  /** Client certificate and key (PEM). */
  readonly cert?: string;
  readonly key?: string;
}

/** Obtains the authentication of the requests to one API server. */
export interface Credential {
  /** The authentication of a request now. Need not be the same object while nothing changed. */
  current(): Promise<ClientAuth>;
  /** The server answered 401 to this authentication: the next `current` must not come from the same cache. */
  refused(auth: ClientAuth): void;
}

/** No credential. */
export const anonymous: Credential = { current: async () => ({}), refused: () => undefined };
