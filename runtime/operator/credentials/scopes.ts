import type { ArmModel } from '../../arm-kinds/model.ts';
import { annotations, namespaceCredential } from '../../arm-kinds/names.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { isWithinScope, type ScopeRule, scopesAllow } from '../../azure/arm/scopes.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The object asks for more than its namespace may have of the operator's own power. */
export class ScopeNotAllowed extends AzimuthError {
  constructor(what: string, namespace: string) {
    super(
      'AZ_TERMINAL',
      `${what} with the operator's own credential: allow it by --operator-credential-scopes for the namespace ${namespace}, or give that a credential of its own in the Secret ${namespaceCredential}`,
    );
  }
}

export interface Reach {
  readonly resourceId: string;
  readonly ownerId: string | undefined;
  /** What references, ConfigMaps and Secrets were resolved to. */
  readonly inputs: readonly unknown[];
}

/**
 * What objects may do with a credential that is the operator's and not their namespace's (docs/adr/0018). With rules, and
 * always under the multi-tenant profile, the ARM id of an object and every ARM id that it names must lie where the rules let
 * its namespace reach. Without rules the operator's credential is everybody's, as in ASO v2, but for types that grant
 * access: those need an owner that is an object of the namespace.
 */
export class CredentialScopes {
  readonly #rules: readonly ScopeRule[];
  /** Whether a namespace without a rule reaches nothing. */
  readonly #enforced: boolean;

  constructor(rules: readonly ScopeRule[], multiTenant = false) {
    this.#rules = rules;
    this.#enforced = multiTenant || rules.length > 0;
  }

  /** Throws ScopeNotAllowed. */
  check(model: ArmModel, object: KubeObject, { resourceId, ownerId, inputs }: Reach): void {
    const { namespace = '' } = object.metadata;
    if (deploysTemplates.test(model.armType(object)) && !this.#reaches('/', namespace)) {
      throw new ScopeNotAllowed(
        `${model.armType(object)} may not be made, whose template may reach any place,`,
        namespace,
      );
    }
    if (this.#enforced) {
      for (const id of [resourceId, ...idsIn(object['spec']), ...idsIn(inputs)]) this.#checkId(id, namespace);
      // What a Secret holds is not repeated, whatever it looks like.
      for (const id of secretIdsIn(inputs)) this.#checkId(id, namespace, 'An ARM id in a Secret that the object names');
      return;
    }
    if (!grantsAccess(model, object)) return;
    const owner = model.owner(object);
    const type = model.armType(object);
    if (!owner || 'armId' in owner) {
      const place = owner ? `an ARM id (${owner.armId})` : 'the whole subscription (it has neither owner nor scope)';
      throw new ScopeNotAllowed(`${type} may not be made under ${place}`, namespace);
    }
    if (ownerId !== undefined && !isWithinScope(resourceId, ownerId.toLowerCase())) {
      const { resourceId: annotation } = annotations;
      throw new ScopeNotAllowed(`The annotation ${annotation} may not lead out of the owner ${ownerId}`, namespace);
    }
  }

  /** Throws ScopeNotAllowed for an ARM id that is to be deleted, or that a kind comes to besides the object's own. */
  checkReach({ metadata: { namespace = '' } }: KubeObject, armId: string): void {
    if (this.#enforced) this.#checkId(armId, namespace);
  }

  /** Whether objects of this namespace are kept to places. */
  bounds({ metadata: { namespace = '' } }: KubeObject): boolean {
    return this.#enforced && !this.#reaches('/', namespace);
  }

  #checkId(id: string, namespace: string, shown = id): void {
    if (!this.#reaches(id, namespace)) throw new ScopeNotAllowed(`${shown} may not be reached`, namespace);
  }

  #reaches(id: string, namespace: string): boolean {
    return scopesAllow(this.#rules, namespace, id);
  }
}

/** Types that give somebody access, or take a protection away, in the place where they are put. */
function grantsAccess(model: ArmModel, object: KubeObject): boolean {
  if (model.definition.arm?.owner?.extension) return true;
  const type = model.armType(object).toLowerCase();
  if (grantingProvider.test(type)) return true;
  const last = type.slice(type.lastIndexOf('/') + 1);
  if (grantingChildren.has(last) || last.endsWith('administrators')) return true;
  return /role|access|principal|policy/.test(last) && /(assignments|bindings|definitions|requests)$/.test(last);
}

/** Roles, policies and locks; delegation to another tenant; trust in an identity; the subscription itself. */
const grantingProvider =
  /^microsoft\.(authorization|managedservices|policyinsights|subscription|management|managedidentity\/userassignedidentities)\//;

/** The last segments of types by which single services give access to what they hold. */
const grantingChildren: ReadonlySet<string> = new Set([
  'accesspolicies',
  'authorizationrules',
  'azureadonlyauthentications',
  'mongodbuserdefinitions',
]);

/** What they make is written in a template, which names places in ways of its own. */
const deploysTemplates =
  /^microsoft\.(resources\/(deployments|deploymentstacks)|solutions\/applications|blueprint\/.*)$/i;

/**
 * Every ARM id within a value, also as the key of a map (`userAssignedIdentities`), with Resource Manager's address before it,
 * in the middle of a text (a query, a connection string) and in JSON within a text; but not those of roles: to name a role is
 * no power, to assign it somewhere is. Of a SecretValue nothing: its ids are no text for messages.
 */
function idsIn(value: unknown): string[] {
  const ids: string[] = [];
  // No recursion: a value may be nested as deep as it is long.
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') {
      ids.push(...[...wholeIds(next), ...idsWithin(next)].filter(isNoRole));
      rest.push(tryJson(next));
    } else if (next !== null && typeof next === 'object') {
      for (const [name, member] of Object.entries(next)) rest.push(name, member);
    }
  }
  return ids;
}

function secretIdsIn(inputs: readonly unknown[]): string[] {
  return inputs.flatMap((input) => (input instanceof SecretValue ? idsIn(input.reveal()) : []));
}

/** With all that follows: whatever a reader takes for the end of the id, nothing of it leads elsewhere. */
function wholeIds(text: string): string[] {
  const [, id] = /^\s*(?:https?:\/\/management\.[^/]*)?(\/+(?:subscriptions|providers)\/.*)$/is.exec(text) ?? [];
  return id === undefined ? [] : [id];
}

/** Known by the GUID of the subscription, as topics have `subscriptions/name` too; a slash may be written for a URL. */
function idsWithin(text: string): string[] {
  const ids = text.matchAll(
    /subscriptions(?:\/|%2f)+[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[^\s"'`,;|()<>{}[\]\\?&#]*/gi,
  );
  return [...ids].map(([id]) => `/${id}`);
}

const isNoRole = (id: string) => !/\/roledefinitions\/[0-9a-f-]{36}$/i.test(id.slice(-60));

function tryJson(text: string): unknown {
  if (!/^\s*[{["]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
