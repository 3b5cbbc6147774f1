import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { TokenIssuer } from '../access/tokens.ts';
import type { Registry, Resource } from '../model/resource.ts';
import type { OpenApiDefinition } from '../model/types.ts';
import { openApiV2, openApiV2Protobuf, openApiV3 } from '../schema/index.ts';
import { aggregated, coreVersions, group, groupList, resourceList } from './discovery.ts';
import { negotiate } from './negotiation.ts';
import type { RequestInfo } from './request-info.ts';
import { notFoundPage, type Reply } from './respond.ts';

const openApiProtobuf = 'application/com.github.proto-openapi.spec.v2';
const json = (body: object): Reply => ({ code: 200, body });

const version = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0+azimuth',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: `${process.platform}/${process.arch}`,
};

const definition = ({ schema, ...resource }: Resource): OpenApiDefinition => ({ ...resource, schema: schema.source });

/** Everything that is not a resource: discovery, OpenAPI, version, health, the token issuer's documents. */
export class Pages {
  readonly #registry: Registry;
  readonly #issuer: TokenIssuer;
  readonly #address: string;
  readonly #kept = new Map<string, { readonly generation: number; readonly body: object | Uint8Array }>();

  constructor(registry: Registry, issuer: TokenIssuer, address: string) {
    this.#registry = registry;
    this.#issuer = issuer;
    this.#address = address;
  }

  answer(info: RequestInfo, headers: IncomingHttpHeaders): Reply {
    if (info.method !== 'GET' && info.method !== 'HEAD') return notFoundPage;
    const path = info.path.length > 1 ? info.path.replace(/\/$/, '') : info.path;
    if (/^\/(healthz|livez|readyz)(\/[a-z]+)?$/.test(path))
      return {
        code: 200,
        body: info.query.has('verbose') ? `[+]ping ok\n[+]store ok\n${path.slice(1)} check passed\n` : 'ok',
      };
    switch (path) {
      case '/version':
        return json(version);
      case '/.well-known/openid-configuration':
        return json(this.#issuer.discovery());
      case '/openid/v1/jwks':
        return {
          code: 200,
          body: Buffer.from(JSON.stringify(this.#issuer.keySet())),
          contentType: 'application/jwk-set+json',
        };
      case '/openapi/v2':
        return this.#openApiV2(headers);
      case '/openapi/v3':
        return json(this.#openApiV3Index());
      case '/':
        return json({
          paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'],
        });
    }
    const openApi = /^\/openapi\/v3\/(?:api\/([^/]+)|apis\/([^/]+)\/([^/]+))$/.exec(path);
    if (openApi) return this.#openApiV3(openApi[2] ?? '', openApi[1] ?? openApi[3] ?? '');
    return this.#discovery(path, headers);
  }

  #discovery(path: string, headers: IncomingHttpHeaders): Reply {
    const [root, name, versionName] = path.split('/').filter(Boolean);
    if (root !== 'api' && root !== 'apis') return notFoundPage;
    if (name === undefined) {
      const accepted = negotiate(headers.accept, 'discovery');
      if (accepted.as)
        return {
          code: 200,
          body: aggregated(this.#registry, root === 'api', accepted.version ?? 'v2'),
          contentType: `application/json;g=${accepted.group};v=${accepted.version};as=${accepted.as}`,
        };
      return json(root === 'api' ? coreVersions(this.#address) : groupList(this.#registry));
    }
    const found =
      root === 'api'
        ? resourceList(this.#registry, '', name)
        : versionName === undefined
          ? group(this.#registry, name)
          : resourceList(this.#registry, name, versionName);
    return found ? json(found) : notFoundPage;
  }

  #openApiV2(headers: IncomingHttpHeaders): Reply {
    const protobuf = (headers.accept ?? '').includes(openApiProtobuf);
    const definitions = () => this.#registry.all().map(definition);
    if (protobuf)
      return {
        code: 200,
        body: this.#keep('v2pb', () => openApiV2Protobuf(definitions())),
        // The name in the Accept header is no media type that clients up to 1.28 can parse; servers send this one.
        contentType: 'application/octet-stream',
      };
    return json(this.#keep('v2', () => openApiV2(definitions())));
  }

  #openApiV3(groupName: string, versionName: string): Reply {
    const resources = this.#registry.inVersion(groupName, versionName);
    if (resources.length === 0) return notFoundPage;
    const at = { group: groupName, version: versionName };
    return json(this.#keep(`v3 ${groupName}/${versionName}`, () => openApiV3(at, resources.map(definition))));
  }

  #openApiV3Index(): object {
    const paths: Record<string, object> = {};
    const groups = [{ name: '', versions: ['v1'] }, ...this.#registry.groups()];
    for (const { name, versions } of groups) {
      for (const one of versions) {
        const key = name === '' ? `api/${one}` : `apis/${name}/${one}`;
        // The hash lets clients keep a document until a CRD changes it.
        const sources = this.#registry.inVersion(name, one).map(({ kind, schema }) => [kind, schema.source]);
        const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex').toUpperCase();
        paths[key] = { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` };
      }
    }
    return { paths };
  }

  #keep<T extends object | Uint8Array>(key: string, make: () => T): T {
    const { generation } = this.#registry;
    const kept = this.#kept.get(key);
    if (kept?.generation === generation) return kept.body as T;
    const body = make();
    this.#kept.set(key, { generation, body });
    return body;
  }
}
