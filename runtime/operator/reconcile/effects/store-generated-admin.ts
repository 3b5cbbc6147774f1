import { getPath } from '../../../arm-kinds/body/json-object.ts';
import { type AdminCredentials, adminKeys, adminRotation } from '../../../arm-kinds/generated-admin-secret.ts';
import { eventReasons, operatorName } from '../../../arm-kinds/names.ts';
import type { EffectResult } from '../../../engine/index.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import { ownerReference, ownership } from '../../../kube/client/owner-references.ts';
import { isAlreadyExists, isConflict } from '../../../kube/client/status-error.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { makePassword, makeUserName } from '../../password.ts';
import { type PassState, succeeded } from '../run-state.ts';

/**
 * Stores generated credentials, or a new password beside the one in use, before anything is sent. Whoever else writes into
 * the Secret at the same time wins: the next pass takes what is there, so that there are never two passwords.
 */
export async function storeCredentials(state: PassState): Promise<EffectResult> {
  const { resolution } = state.input;
  const { admin } = resolution;
  state.credentialsStored = true;
  if (!admin?.task) return succeeded;
  try {
    state.context.ownWrites.record(await write(state, admin));
    report(state, admin);
  } catch (error) {
    if (!isAlreadyExists(error) && !isConflict(error)) throw error;
  }
  return succeeded;
}

async function write(state: PassState, admin: AdminCredentials): Promise<KubeObject> {
  const { client } = state.context.runtime;
  const { object, signal } = state.input;
  const { input, secret } = admin;
  const key = { namespace: object.metadata.namespace ?? '', name: input.name };
  const options = { fieldManager: operatorName, signal };
  const userName = userNameOf(state, admin);
  const rotation: Record<string, string> = input.request === undefined ? {} : { [adminRotation]: input.request };
  const made =
    admin.task === 'renew'
      ? { [adminKeys.pending]: makePassword(userName) }
      : { [adminKeys.userName]: userName, [adminKeys.password]: admin.password ?? makePassword(userName) };
  const data = Object.fromEntries(
    Object.entries(made).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  );
  // A password that is made now meets every request so far.
  const annotations = admin.task === 'renew' || admin.password === undefined ? rotation : {};
  if (!secret) {
    const metadata = { ...key, annotations, ownerReferences: [ownerReference(object)] };
    return client.create<KubeObject>(
      secretsType,
      { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data },
      options,
    );
  }
  const { uid, resourceVersion } = secret.metadata;
  const { ownerReferences } = ownership(secret, object);
  const body = { metadata: { uid, resourceVersion, annotations, ownerReferences }, data };
  return client.patch(secretsType, key, { type: 'merge', body }, options);
}

/** Azure never changes it: what the server has counts more than what the Secret says. */
function userNameOf({ input: { object }, live }: PassState, { input, userName }: AdminCredentials): string {
  const declared = getPath(object, `spec.${input.login}`);
  const inAzure = live?.exists ? getPath(live.body, `properties.${input.login}`) : undefined;
  const known = [declared, inAzure, userName].find((name) => typeof name === 'string' && name !== '');
  return typeof known === 'string' ? known : makeUserName();
}

function report(state: PassState, { input, password, task }: AdminCredentials): void {
  if (task === 'make' && password !== undefined) return;
  const what =
    task === 'renew'
      ? `A new password is stored in Secret ${input.name} beside the old one, and goes to Azure now`
      : state.live?.exists
        ? `Secret ${input.name} had no password: a new one is stored, and goes to Azure now`
        : `The administrator is made up and stored in Secret ${input.name}`;
  state.event('Normal', eventReasons.credentialsStored, 'MakeCredentials', what);
}
