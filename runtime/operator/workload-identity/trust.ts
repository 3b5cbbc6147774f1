import { subjectOf, tokenAudience, trustedByAnnotation } from '../../api/workload-identity.ts';

/** A service account and the identity that its annotations name. */
export interface TrustQuestion {
  readonly namespace: string;
  readonly name: string;
  /** Name of a UserAssignedIdentity; undefined where only the client id is named. */
  readonly trustedBy: string | undefined;
  /** Names of the UserAssignedIdentities of the namespace that are meant; none: not known there. */
  readonly identities: readonly string[];
  /** The credentials of these identities for the subject of the account, or whose subject is not known yet. */
  readonly credentials: readonly { readonly name: string; readonly issuer: string | undefined }[];
  /** Issuer of the cluster's tokens; undefined where it cannot be read. */
  readonly issuer: string | undefined;
}

/**
 * Why Microsoft Entra ID refuses the tokens of a service account, with the fix; undefined where nothing speaks against
 * it. An account whose client id belongs to no identity of its namespace is somebody else's concern. Pure.
 */
export function trustProblem(question: TrustQuestion): string | undefined {
  const { namespace, name, trustedBy, identities, credentials, issuer } = question;
  const [identity] = identities;
  if (identity === undefined) {
    if (trustedBy === undefined) return undefined;
    return `There is no UserAssignedIdentity ${trustedBy} in this namespace: create it, or correct ${trustedByAnnotation}`;
  }
  const accepted = credentials.some(
    (each) => issuer === undefined || each.issuer === undefined || each.issuer === issuer,
  );
  if (accepted) return undefined;
  const [other] = credentials;
  if (other) {
    return `The FederatedIdentityCredential ${other.name} trusts the issuer ${other.issuer}, and this cluster's tokens have the issuer ${issuer}: correct spec.issuer`;
  }
  return `No FederatedIdentityCredential of the UserAssignedIdentity ${identity} has the subject ${subjectOf(namespace, name)}: create one with it, the audience ${tokenAudience} and the issuer ${issuer ?? 'of this cluster'}`;
}
