import {
  claimsFit,
  clientIdAnnotation,
  parseClaimsExpression,
  trustedByAnnotation,
} from '../../api/workload-identity.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The identity of an account, by its name or its client id. */
export interface NamedIdentity {
  readonly name?: string | undefined;
  readonly clientId?: string | undefined;
}

/** The identity that annotations name: our own annotation, which is exact, goes before the client id. */
export function identityNamedBy(annotations: Readonly<Record<string, string>> = {}): NamedIdentity {
  const { [trustedByAnnotation]: name, [clientIdAnnotation]: clientId } = annotations;
  return name === undefined ? { clientId } : { name };
}

/** The name and the client id of an identity. */
export const idsOf = ({ metadata, status }: KubeObject): NamedIdentity => ({
  name: metadata.name,
  clientId: status?.clientId,
});

/** Keys of an index; they have the namespace, so that nothing is found across its boundary. */
export function identityKeys(namespace = '', { name, clientId }: NamedIdentity): string[] {
  return [
    ...(name ? [`${namespace} name ${name}`] : []),
    ...(clientId ? [`${namespace} client ${clientId.toLowerCase()}`] : []),
  ];
}

/** The key of the index of credentials. `owner`: a name, or an ARM id in lower case. */
export const trustKey = (namespace = '', owner = '', subject = '') => `${namespace} ${owner} ${subject}`;

/** The ARM id of an identity in lower case; `/` while it has none. */
export const armIdOf = ({ status }: KubeObject): string => String(status?.id ?? '/').toLowerCase();

/** The identity of a credential: its name, or its ARM id in lower case. */
export const ownerOf = ({ spec }: KubeObject): string | undefined =>
  spec?.owner?.name ?? spec?.owner?.armId?.toLowerCase();

/** The token that a credential trusts. */
export interface Trust {
  readonly subject: string | undefined;
  readonly issuer: string | undefined;
  readonly expression: string | undefined;
}

/** What is trusted, as declared, or as Azure has it where it comes from a ConfigMap. */
export function trustOf({ spec, status }: KubeObject): Trust {
  return {
    subject: spec?.subject ?? status?.subject,
    issuer: spec?.issuer ?? status?.issuer,
    expression: spec?.claimsMatchingExpression?.value,
  };
}

/** False only for an expression that is understood and that the subject does not fulfil. */
export function mayTrust(expression: string | undefined, subject: string): boolean {
  const comparisons = expression === undefined ? undefined : parseClaimsExpression(expression);
  return (
    comparisons === undefined ||
    claimsFit(
      comparisons.filter(({ claim }) => claim === 'sub'),
      { sub: subject },
    )
  );
}

/** The part of a service account that the check needs. */
export function projectAccount({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { namespace = '', name, uid, resourceVersion, annotations: all = {} } = metadata;
  const kept = [clientIdAnnotation, trustedByAnnotation].flatMap((each) => (each in all ? [[each, all[each]]] : []));
  const annotations = kept.length > 0 && { annotations: Object.fromEntries(kept) };
  return { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion, ...annotations } };
}

/** The part of a UserAssignedIdentity that the check needs. */
export function projectIdentity(object: KubeObject): KubeObject {
  return { ...bare(object), status: { id: object['status']?.id, clientId: object['status']?.clientId } };
}

/** The part of a FederatedIdentityCredential that the check needs. */
export function projectCredential(object: KubeObject): KubeObject {
  const { spec, status } = object;
  return {
    ...bare(object),
    spec: {
      owner: spec?.owner,
      subject: spec?.subject,
      issuer: spec?.issuer,
      claimsMatchingExpression: spec?.claimsMatchingExpression,
    },
    status: { subject: status?.subject, issuer: status?.issuer },
  };
}

function bare({ apiVersion, kind, metadata: { namespace = '', name, uid, resourceVersion } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion } };
}
