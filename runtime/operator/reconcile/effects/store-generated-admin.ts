import { type AdminCredentials, adminKeys, adminRotation } from '../../../arm-kinds/generated-admin-secret.ts';
import { eventReasons, operatorName } from '../../../arm-kinds/names.ts';
import { getPath } from '../../../arm-kinds/values/json-object.ts';
import { secretsType } from '../../../kube/client/core-types.ts';
import { ownerReference, ownership } from '../../../kube/client/owner-references.ts';
import { isAlreadyExists, isConflict } from '../../../kube/client/status-error.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { generatePassword, generateUserName } from '../../credentials/password.ts';
import { type EffectContext, type EffectReport, succeeded } from '../../effects/effect-context.ts';

/**
 * Stores generated credentials, or a new password beside the current one, before sending anything. A concurrent write
 * to the Secret wins: the next run uses its values, so that there are never two passwords.
 */
export async function storeGeneratedAdmin(context: EffectContext): Promise<EffectReport> {
  const { admin } = context.plan.resolution;
  const stored = succeeded({ adminStored: true });
  if (!admin?.task) return stored;
  try {
    context.shared.ownWrites.record(await write(context, admin));
    report(context, admin);
  } catch (error) {
    if (!isAlreadyExists(error) && !isConflict(error)) throw error;
  }
  return stored;
}

async function write(context: EffectContext, admin: AdminCredentials): Promise<KubeObject> {
  const { client } = context.shared.runtime;
  const { object, signal } = context.plan;
  const { input, secret } = admin;
  const key = { namespace: object.metadata.namespace ?? '', name: input.name };
  const options = { fieldManager: operatorName, signal };
  const userName = userNameOf(context, admin);
  const rotation: Record<string, string> = input.request === undefined ? {} : { [adminRotation]: input.request };
  const generated =
    admin.task === 'renew'
      ? { [adminKeys.pending]: generatePassword(userName) }
      : { [adminKeys.userName]: userName, [adminKeys.password]: admin.password ?? generatePassword(userName) };
  const data = Object.fromEntries(
    Object.entries(generated).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  );
  // A password that is generated now fulfils every request so far.
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

/** Azure never changes the user name: the server's name has precedence over the Secret's. */
function userNameOf(
  { plan: { object }, observed: { live } }: EffectContext,
  { input, userName }: AdminCredentials,
): string {
  const declared = getPath(object, `spec.${input.login}`);
  const inAzure = live?.exists ? getPath(live.body, `properties.${input.login}`) : undefined;
  const adminName = [declared, inAzure, userName].find((name) => typeof name === 'string' && name !== '');
  return typeof adminName === 'string' ? adminName : generateUserName();
}

function report(context: EffectContext, { input, password, task }: AdminCredentials): void {
  if (task === 'generate' && password !== undefined) return;
  const note =
    task === 'renew'
      ? `A new password is stored in Secret ${input.name} beside the old one, and goes to Azure now`
      : context.observed.live?.exists
        ? `Secret ${input.name} had no password: a new one is stored, and goes to Azure now`
        : `The administrator is generated and stored in Secret ${input.name}`;
  context.event('Normal', eventReasons.credentialsStored, 'GenerateCredentials', note);
}
