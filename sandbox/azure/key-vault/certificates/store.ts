import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { at, type Json, stringOf } from '../../json.ts';
import type { VaultObject, VaultVersion } from '../../state.ts';
import { defaultOperations } from '../keys.ts';
import { addVersion, attributesOf, idOf, newVersion, type VaultRequest } from '../vault-request.ts';
import { secretValue } from './material.ts';
import type { Material } from './x509.ts';

/** A certificate as an item of a list. */
export function certificateItem(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  const der = Buffer.from(version.cer ?? '', 'base64');
  return {
    id: idOf(request, 'certificates', object.name, version.version),
    x5t: createHash('sha1').update(der).digest('base64url'),
    attributes: attributesOf(request, version),
    tags: version.tags ?? {},
    subject: stringOf(at(object.policy, 'x509_props.subject')),
  };
}

/** A certificate with everything. */
export function certificateBundle(request: VaultRequest, object: VaultObject, version: VaultVersion): Json {
  const { subject: _subject, ...rest } = certificateItem(request, object, version);
  return {
    ...rest,
    kid: idOf(request, 'keys', object.name, version.version),
    sid: idOf(request, 'secrets', object.name, version.version),
    cer: version.cer,
    policy: { id: idOf(request, 'certificates', object.name, 'policy'), ...object.policy },
    pending: { id: idOf(request, 'certificates', object.name, 'pending') },
  };
}

/** Adds a version of certificate, key and secret, all under one name and version, in the form of the policy. */
export function storeCertificate(
  request: VaultRequest,
  object: VaultObject,
  material: Material,
  from: { readonly tags?: Record<string, string>; readonly attributes?: Json },
  policy: Json | undefined = object.policy,
): VaultVersion {
  const details = new X509Certificate(material.certPem);
  const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);
  const body = { ...from, attributes: from.attributes ?? {} };
  const base: VaultVersion = {
    ...newVersion({ ...request, body }),
    nbf: seconds(details.validFrom),
    exp: seconds(details.validTo),
  };
  const contentType = stringOf(at(policy, 'secret_props.contentType'));
  const { name } = object;
  const bare = { ...request, exchange: { ...request.exchange, entry: { ...request.exchange.entry } } };
  addVersion(bare, 'keys', name, {
    ...base,
    managed: true,
    keyPem: createPrivateKey(material.keyPem).export({ type: 'pkcs8', format: 'pem' }) as string,
    keyOps: defaultOperations(material.keyPem),
  });
  const value = secretValue(material, contentType, at(policy, 'key_props.exportable') !== false);
  addVersion(bare, 'secrets', name, { ...base, managed: true, contentType, value });
  const version: VaultVersion = { ...base, cer: details.raw.toString('base64'), keyPem: material.keyPem };
  object.versions.push(version);
  return version;
}
