import { AzimuthError } from '../../base/errors.ts';
import { trimEndOf } from '../../base/text/text.ts';
import { anonymous, type Credential, type Impersonation, type KubeConnection, type TextSource } from './connection.ts';
import {
  basicAuthorization,
  bearerToken,
  type CertificateFiles,
  fixedCredential,
  withCertificate,
} from './credentials.ts';
import { execCredential, execSpecOf } from './exec-credential.ts';
import type { KubeconfigEntry } from './kubeconfig-entry.ts';
import { type MergedKubeconfig, readKubeconfigs } from './kubeconfig-files.ts';
import { type ConnectionOptions, kubeconfigPaths } from './kubeconfig-search.ts';
import { fileText, fixedText } from './text-source.ts';

/**
 * The connection of a kubeconfig: the one named, or those of KUBECONFIG, or ~/.kube/config, as kubectl has it. A
 * program that may run in a pod uses findKubeConnection. Throws AZ_KUBECONFIG_INVALID naming file, entry and member.
 * Sends nothing.
 */
export function loadKubeConnection(options: ConnectionOptions = {}): KubeConnection {
  const env = options.env ?? process.env;
  const config = readKubeconfigs(options);
  if (config.files.length === 0) {
    throw new AzimuthError(
      'AZ_KUBECONFIG_INVALID',
      `No kubeconfig at ${kubeconfigPaths(options).join(', ')}, and not in a pod: set KUBECONFIG`,
    );
  }
  const name = options.context ?? config.currentContext;
  if (!name) {
    throw new AzimuthError(
      'AZ_KUBECONFIG_INVALID',
      `Kubeconfig ${config.files.join(', ')}: current-context is missing; contexts are: ${entryNames(config.contexts)}`,
    );
  }
  return connectionOf(config, name, { ...options, env });
}

function connectionOf(
  config: MergedKubeconfig,
  name: string,
  { cluster: chosen, env }: Pick<ConnectionOptions, 'cluster'> & { readonly env: NodeJS.ProcessEnv },
): KubeConnection {
  const context = config.contexts.get(name);
  if (!context) {
    throw new AzimuthError(
      'AZ_KUBECONFIG_INVALID',
      `Kubeconfig ${config.files.join(', ')}: there is no context "${name}"; contexts are: ${entryNames(config.contexts)}`,
    );
  }
  const cluster = chosen === undefined ? refer(context, 'cluster', config.clusters) : config.clusters.get(chosen);
  if (!cluster) {
    throw new AzimuthError(
      'AZ_KUBECONFIG_INVALID',
      `Kubeconfig ${config.files.join(', ')}: there is no cluster "${chosen}"; clusters are: ${entryNames(config.clusters)}`,
    );
  }
  const user = context.has('user') ? refer(context, 'user', config.users) : undefined;

  const ca = cluster.pem('certificate-authority');
  const insecureSkipTlsVerify = cluster.flag('insecure-skip-tls-verify');
  if (ca && insecureSkipTlsVerify) {
    throw cluster.invalid('insecure-skip-tls-verify', 'must not be given beside a certificate-authority');
  }
  const tlsServerName = cluster.text('tls-server-name');
  const proxy = proxyOf(cluster);
  const certificate = user ? certificateOf(user) : {};
  const hasTls = ca !== undefined || insecureSkipTlsVerify || certificate.cert !== undefined;
  const server = serverOf(cluster, hasTls);
  const impersonate = user ? impersonationOf(user) : undefined;
  return {
    source: `${context.file}, context "${name}"`,
    server,
    namespace: context.text('namespace') ?? 'default',
    ...(ca ? { ca } : {}),
    ...(insecureSkipTlsVerify ? { insecureSkipTlsVerify } : {}),
    ...(tlsServerName ? { tlsServerName } : {}),
    ...(proxy ? { proxy } : {}),
    ...(impersonate ? { impersonate } : {}),
    credential: withCertificate(user ? credentialOf(user, cluster, server, env) : anonymous, certificate),
  };
}

function refer(
  context: KubeconfigEntry,
  member: 'cluster' | 'user',
  entries: ReadonlyMap<string, KubeconfigEntry>,
): KubeconfigEntry {
  const name = context.required(member);
  const entry = entries.get(name);
  if (!entry) throw context.invalid(member, `names "${name}", which does not exist; known are: ${entryNames(entries)}`);
  return entry;
}

/** The scheme may be left out, as kubectl allows: https with any TLS setting, http without. */
function serverOf(cluster: KubeconfigEntry, hasTls: boolean): string {
  const given = cluster.required('server');
  const text = given.includes('://') ? given : `${hasTls ? 'https' : 'http'}://${given}`;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search) {
    throw cluster.invalid('server', 'must be an http or https URL without user and query');
  }
  return trimEndOf(text, '/');
}

function proxyOf(cluster: KubeconfigEntry): string | undefined {
  const text = cluster.text('proxy-url');
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  // The value may hold a password, so it is not shown.
  if (!url?.host || !/^(https?|socks5):$/.test(url.protocol)) {
    throw cluster.invalid('proxy-url', 'must be an http, https or socks5 URL');
  }
  return text;
}

function certificateOf(user: KubeconfigEntry): CertificateFiles {
  const cert = user.pem('client-certificate');
  const key = user.pem('client-key');
  if (!cert && !key) return {};
  if (!cert) throw user.invalid('client-certificate', 'is missing beside client-key');
  if (!key) throw user.invalid('client-key', 'is missing beside client-certificate');
  return { cert, key };
}

function impersonationOf(user: KubeconfigEntry): Impersonation | undefined {
  const as = user.text('as');
  const uid = user.text('as-uid');
  const groups = user.texts('as-groups');
  const extra = user.entry('as-user-extra');
  if (!as) {
    if (uid || groups.length > 0 || extra.keys().length > 0) {
      throw user.invalid('as', 'is missing beside as-uid, as-groups or as-user-extra');
    }
    return undefined;
  }
  return {
    user: as,
    ...(uid ? { uid } : {}),
    groups,
    extra: Object.fromEntries(extra.keys().map((key) => [key, extra.texts(key)])),
  };
}

function credentialOf(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
  server: string,
  env: NodeJS.ProcessEnv,
): Credential {
  if (user.has('auth-provider')) {
    const provider = user.entry('auth-provider').text('name') ?? '';
    throw user.invalid(
      'auth-provider',
      `"${provider}" is a legacy mechanism that Kubernetes removed; use an exec plugin such as kubelogin in its place`,
    );
  }
  const token = user.text('token');
  const tokenFile = user.path('tokenFile');
  const username = user.text('username');
  const password = user.text('password');
  const basic = username !== undefined || password !== undefined;
  if (basic && (token ?? tokenFile) !== undefined) throw user.invalid('username', 'must not be given beside a token');
  // kubectl prefers the file, which is renewed, and falls back to the token; both go before a plugin.
  if (tokenFile !== undefined) {
    const file = fileText(tokenFile, user.label('tokenFile'));
    return bearerToken(token === undefined ? file : orElse(file, token));
  }
  if (token !== undefined) return bearerToken(fixedText(token));
  if (basic) return fixedCredential(basicAuthorization(username ?? '', password ?? ''));
  if (!user.has('exec')) return anonymous;
  return execCredential(execSpecOf(user.entry('exec')), { cluster, server, env });
}

function orElse(source: TextSource, text: string): TextSource {
  return {
    read: () => {
      try {
        return source.read();
      } catch {
        return text;
      }
    },
    refresh: () => source.refresh(),
  };
}

function entryNames(entries: ReadonlyMap<string, KubeconfigEntry>): string {
  return [...entries.keys()].join(', ') || '(none)';
}
