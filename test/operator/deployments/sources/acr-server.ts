/** A server with the endpoints of Azure Container Registry, as its AAD-OAuth protocol describes them, for one test file. */
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { clouds } from '../../../../runtime/azure/clouds.ts';
import type { Credential } from '../../../../runtime/azure/identity/credential.ts';
import type { TokenParameters } from '../../../../runtime/azure/types.ts';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { ChosenCredential } from '../../../../runtime/operator/credentials/credentials.ts';
import { AcrTokens } from '../../../../runtime/operator/deployments/sources/acr-tokens.ts';
import { OciTemplates } from '../../../../runtime/operator/deployments/sources/oci-templates.ts';
import { RegistryCredentials } from '../../../../runtime/operator/deployments/sources/registry-credentials.ts';
import {
  type RegistryRule,
  tryParseRegistryRule,
} from '../../../../runtime/operator/deployments/sources/registry-rules.ts';
import { type Received, startWebServer, type WebServer } from '../../../fakes/web-server.ts';
import { bothSchemes, digestOf, LocalTargets } from './local-registry.ts';

export const clock = new ManualClock();
export const layer = '{"a":1}';
export const manifest = JSON.stringify({ layers: [{ digest: digestOf(layer), size: layer.length }] });
export const jwt = (claims: object) => `marked.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** Requests as `METHOD host path authorization`; forms as sent. */
export const requests: string[] = [];
export const forms: Record<string, string>[] = [];
export const asked: (TokenParameters & { readonly namespace: string })[] = [];
export const server = {
  /** Of the anonymous token. */
  anonymous: { status: 401, text: '{}' },
  exchange: { status: 200, text: '' },
  token: { status: 200, text: '' },
  realm: '',
  location: '',
  accessToken: '',
};
let http: WebServer;
export const port = () => String(http.port);

function answerOf({ url, method, headers, body }: Received) {
  const [path] = url.split('?');
  requests.push(`${method} ${headers.host?.split(':')[0]} ${path} ${headers.authorization ?? '-'}`);
  if (method === 'POST') forms.push(Object.fromEntries(new URLSearchParams(body)));
  if (path === '/oauth2/exchange') return { ...server.exchange, ...(server.location && { status: 307 }) };
  if (path === '/oauth2/token') return method === 'POST' ? server.token : server.anonymous;
  if (headers.authorization === `Bearer ${server.accessToken}`)
    return { status: 200, text: url.includes('/manifests/') ? manifest : layer };
  return { status: 401, text: '{}', challenge: `Bearer realm="${server.realm}",service="evil.example.org"` };
}

beforeAll(async () => {
  http = await startWebServer((request, response) => {
    const answer = answerOf(request);
    const { status, text } = answer;
    const challenge = 'challenge' in answer && { 'www-authenticate': answer.challenge };
    response.writeHead(status, { ...challenge, ...(server.location && { location: server.location }) }).end(text);
  });
});
afterAll(() => http.close());
beforeEach(() => {
  for (const list of [requests, forms, asked]) list.length = 0;
  const accessToken = jwt({ exp: clock.now() / 1000 + 4500 });
  Object.assign(server, {
    anonymous: { status: 401, text: '{}' },
    exchange: { status: 200, text: JSON.stringify({ refresh_token: 'marked-refresh' }) },
    token: { status: 200, text: JSON.stringify({ access_token: accessToken }) },
    realm: `https://shop.azurecr.io:${port()}/oauth2/token`,
    location: '',
    accessToken,
  });
});

export function credentialOf(namespace: string, cloud: keyof typeof clouds = 'AzurePublicCloud'): Credential {
  const getToken = async (request: TokenParameters) => {
    asked.push({ ...request, namespace });
    return { token: `marked-entra-${namespace}`, expiresOn: clock.now() + 3_600_000 };
  };
  const authorizer = { description: 'client secret of client c', getToken };
  const ids = { subscriptionId: 's', tenantId: `tenant-${namespace}`, clientId: 'c', additionalTenants: [] };
  return { authorizer, cloud: clouds[cloud], ...ids };
}
export const chosenOf = (namespace: string, change: Partial<ChosenCredential> = {}): ChosenCredential => ({
  credential: credentialOf(namespace),
  source: `${namespace}/aso-credential`,
  edges: [],
  waits: [],
  usesOperatorCredential: false,
  credentialOf: 'namespace',
  ...change,
});

export interface Setting {
  /** By namespace. */
  readonly chosen: Readonly<Record<string, ChosenCredential>>;
  readonly registry?: string;
  readonly denied?: boolean;
  readonly bounds?: boolean;
}

/** Reads the template of a namespace and repository, with the credentials of the setting. */
export function templates({ chosen, registry = 'shop.azurecr.io', denied = false, bounds = true }: Setting) {
  const place = `${registry}:${port()}`;
  const rules = bothSchemes(tryParseRegistryRule(place) as RegistryRule);
  const setting = '--template-registries';
  const targets = new LocalTargets({ rules, apiServers: [], setting, addressesOf: async () => ['127.0.0.1'] });
  const credentials = new RegistryCredentials({
    credentials: { credentialFor: async ({ metadata }) => chosen[metadata.namespace ?? ''] as ChosenCredential },
    scopes: { bounds: () => bounds },
    access: {
      check: async ({ spec }, { verb, type }) => {
        expect({ spec, verb, type }).toMatchObject({ spec: { serviceAccountName: 'builder' }, verb: 'create' });
        if (denied) throw new AzimuthError('AZ_ACCESS_DENIED', 'it may not create armresources');
      },
    },
    tokens: new AcrTokens(targets, clock),
  });
  const all = new OciTemplates(targets, rules, credentials);
  return (namespace: string, repository = 'team/templates') => {
    const spec = { serviceAccountName: 'builder' };
    const deployment: KubeObject = { apiVersion: 'v1', kind: 'D', metadata: { namespace, name: 'shop' }, spec };
    return all.read(`${place}/${repository}@${digestOf(manifest)}`, new AbortController().signal, deployment);
  };
}
