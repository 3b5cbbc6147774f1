import { type Reply, refuse } from '../exchange.ts';
import type { Json } from '../json.ts';
import type { VaultObject, VaultVersion } from '../state.ts';
import { deletedLifecycle, lifecycle } from './lifecycle.ts';
import {
  addVersion,
  attributesOf,
  badParameter,
  idOf,
  live,
  newVersion,
  updateVersion,
  type VaultHandler,
  type VaultRequest,
  versionOf,
} from './vault-request.ts';

const maxValueBytes = 25_600;
const collection = 'secrets';

function item(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  return {
    id: idOf(request, 'secrets', object.name, version.version),
    attributes: attributesOf(request, version),
    ...(version.contentType === undefined ? {} : { contentType: version.contentType }),
    ...(version.managed ? { managed: true } : {}),
    tags: version.tags ?? {},
  };
}

function bundle(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  const kid = version.managed ? { kid: idOf(request, 'keys', object.name, version.version) } : {};
  return { value: version.value, ...item(request, object, version), ...kid };
}

function set(request: VaultRequest, name: string): Reply {
  request.demand({ collection, right: 'set' }, name);
  const { value } = request.body;
  if (typeof value !== 'string') throw badParameter('The request body is missing the property value.');
  if (Buffer.byteLength(value) > maxValueBytes) {
    throw badParameter(`The value of the secret is too long: at most ${maxValueBytes} bytes are allowed.`);
  }
  const version: VaultVersion = { ...newVersion(request), value };
  const object = addVersion(request, collection, name, version);
  return { status: 200, body: bundle(request, object, version) };
}

/** Handles `/secrets/...`. */
export const secretPaths: VaultHandler = (request) => {
  const { exchange, rest } = request;
  const [name = '', version] = rest;
  const common = lifecycle(request, collection, item, bundle);
  if (common) return common;
  if (exchange.method === 'PUT' && rest.length === 1) return set(request, name);
  if (exchange.method === 'GET' && rest.length <= 2) {
    request.demand({ collection, right: 'get' }, name);
    const object = live(request, collection, name);
    const found = versionOf(collection, object, version);
    if (!found.enabled) {
      throw refuse(403, 'Forbidden', 'Operation get is not allowed on a disabled secret.', {
        innererror: { code: 'SecretDisabled' },
      });
    }
    return { status: 200, body: bundle(request, object, found) };
  }
  if (exchange.method === 'PATCH' && rest.length <= 2) {
    request.demand({ collection, right: 'set' }, name);
    const object = live(request, collection, name);
    const found = versionOf(collection, object, version);
    updateVersion(request, found);
    exchange.entry.effective = true;
    const { value: _value, ...shown } = bundle(request, object, found);
    return { status: 200, body: shown };
  }
  return undefined;
};

/** Handles `/deletedsecrets/...`. */
export const deletedSecretPaths: VaultHandler = (request) => deletedLifecycle(request, collection, bundle, item);
