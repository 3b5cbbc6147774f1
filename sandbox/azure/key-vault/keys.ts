import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';
import { isObject } from '../../../runtime/base/json.ts';
import { type Reply, refuse } from '../exchange.ts';
import { type Json, objectOf, stringOf } from '../json.ts';
import type { VaultObject, VaultVersion } from '../state.ts';
import { decrypt, encrypt, sign, verify } from './key-operations.ts';
import { deletedLifecycle, lifecycle } from './lifecycle.ts';
import {
  addVersion,
  attributesOf,
  badParameter,
  idOf,
  live,
  newVersion,
  refuseDeleted,
  updateVersion,
  type VaultHandler,
  type VaultRequest,
  versionOf,
} from './vault-request.ts';

const generate = promisify(generateKeyPair);
const collection = 'keys';
/** Operations of a key by its type, as Key Vault sets them. */
const operations = {
  RSA: ['encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey'],
  EC: ['sign', 'verify'],
};

function item(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  return {
    kid: idOf(request, 'keys', object.name, version.version),
    attributes: attributesOf(request, version),
    ...(version.managed ? { managed: true } : {}),
    tags: version.tags ?? {},
  };
}

function bundle(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  const { kid, ...rest } = item(request, object, version);
  const jwk = createPublicKey(version.keyPem ?? '').export({ format: 'jwk' });
  return { key: { kid, ...jwk, key_ops: version.keyOps }, ...rest };
}

/** A new private key, PKCS#8 PEM, by `kty`, `key_size` and `crv`; refuses keys that the vault does not make. */
export async function newKeyPem(body: Json): Promise<string> {
  const kty = stringOf(body['kty']).replace(/-HSM$/, '');
  if (kty === 'RSA') {
    const bits = Number(body['key_size'] ?? 2048);
    if (![2048, 3072, 4096].includes(bits))
      throw badParameter(`Key size ${bits} is not supported: 2048, 3072 or 4096 is expected.`);
    const { privateKey } = await generate('rsa', { modulusLength: bits });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  }
  if (kty === 'EC') {
    const curve = stringOf(body['crv']) || 'P-256';
    if (!['P-256', 'P-384', 'P-521'].includes(curve))
      throw badParameter(`Curve ${curve} is not supported: P-256, P-384 or P-521 is expected.`);
    const { privateKey } = await generate('ec', { namedCurve: curve });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  }
  throw badParameter(`Key type '${kty}' is not supported: RSA or EC is expected.`);
}

/** The operations of a key where nobody names them. */
export function defaultOperations(keyPem: string): string[] {
  return operations[createPrivateKey(keyPem).asymmetricKeyType === 'ec' ? 'EC' : 'RSA'];
}

function add(request: VaultRequest, name: string, keyPem: string, keyOps: unknown): Reply {
  const version: VaultVersion = {
    ...newVersion(request),
    keyPem,
    keyOps: Array.isArray(keyOps) && keyOps.length > 0 ? keyOps.map(String) : defaultOperations(keyPem),
  };
  const object = addVersion(request, collection, name, version);
  return { status: 200, body: bundle(request, object, version) };
}

function importKey(request: VaultRequest, name: string): Reply {
  request.demand({ collection, right: 'import' }, name);
  const { kty, key_ops: keyOps, ...jwk } = objectOf(request.body['key']);
  try {
    const key = createPrivateKey({
      key: { ...jwk, kty: stringOf(kty).replace(/-HSM$/, '') } as JsonWebKey,
      format: 'jwk',
    });
    return add(request, name, key.export({ type: 'pkcs8', format: 'pem' }) as string, keyOps);
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') throw error;
    throw badParameter('The key in the request is no private key in JWK form.');
  }
}

const bytesOf = (request: VaultRequest, member: string) => {
  const value = request.body[member];
  if (typeof value !== 'string') throw badParameter(`The request body is missing the property ${member}.`);
  return Buffer.from(value, 'base64url');
};

const rights: Readonly<Record<string, string>> = {
  encrypt: 'encrypt',
  decrypt: 'decrypt',
  wrapkey: 'wrapKey',
  unwrapkey: 'unwrapKey',
  sign: 'sign',
  verify: 'verify',
};

function operate(
  request: VaultRequest,
  name: string,
  version: string | undefined,
  operation: string,
): Reply | undefined {
  const right = rights[operation];
  if (!right) return undefined;
  request.demand({ collection, right }, name);
  const object = live(request, collection, name);
  const found = versionOf(collection, object, version);
  if (!found.enabled) {
    throw refuse(403, 'Forbidden', `Operation ${operation} is not allowed on a disabled key.`, {
      innererror: { code: 'KeyDisabled' },
    });
  }
  if (!found.keyOps?.includes(right)) {
    throw refuse(403, 'Forbidden', `Operation ${right} is not permitted on this key.`, {
      innererror: { code: 'KeyOperationForbidden' },
    });
  }
  const pem = found.keyPem ?? '';
  const algorithm = stringOf(request.body['alg']);
  const kid = idOf(request, 'keys', object.name, found.version);
  const answer = (result: Buffer) => ({ status: 200, body: { kid, value: result.toString('base64url') } });
  if (right === 'verify') {
    return {
      status: 200,
      body: { value: verify(pem, algorithm, bytesOf(request, 'digest'), bytesOf(request, 'value')) },
    };
  }
  const value = bytesOf(request, 'value');
  if (right === 'sign') return answer(sign(pem, algorithm, value));
  return answer(
    right === 'encrypt' || right === 'wrapKey' ? encrypt(pem, algorithm, value) : decrypt(pem, algorithm, value),
  );
}

/** Handles `/keys/...`. */
export const keyPaths: VaultHandler = async (request) => {
  const { exchange, rest } = request;
  const [name = '', second, third] = rest;
  const { method } = exchange;
  const common = lifecycle(request, collection, item, bundle);
  if (common) return common;
  if (method === 'POST' && rest.length === 2 && second === 'create') {
    request.demand({ collection, right: 'create' }, name);
    refuseDeleted(collection, request.vault.keys[name.toLowerCase()]);
    return add(request, name, await newKeyPem(request.body), request.body['key_ops']);
  }
  if (method === 'PUT' && rest.length === 1 && isObject(request.body['key'])) return importKey(request, name);
  if (method === 'GET' && rest.length <= 2) {
    request.demand({ collection, right: 'get' }, name);
    const object = live(request, collection, name);
    return { status: 200, body: bundle(request, object, versionOf(collection, object, second)) };
  }
  if (method === 'PATCH' && rest.length <= 2) {
    request.demand({ collection, right: 'update' }, name);
    const object = live(request, collection, name);
    const found = versionOf(collection, object, second);
    updateVersion(request, found);
    if (Array.isArray(request.body['key_ops'])) found.keyOps = request.body['key_ops'].map(String);
    exchange.entry.effective = true;
    return { status: 200, body: bundle(request, object, found) };
  }
  if (method === 'POST' && rest.length === 3) return operate(request, name, second, third?.toLowerCase() ?? '');
  if (method === 'POST' && rest.length === 2) return operate(request, name, undefined, second?.toLowerCase() ?? '');
  return undefined;
};

/** Handles `/deletedkeys/...`. */
export const deletedKeyPaths: VaultHandler = (request) => deletedLifecycle(request, collection, bundle, item);
